package io.tidemark.query.shard;

import java.util.List;

/** An expression in CEL, as far as a shard selector's errors tell expressions apart. */
sealed interface CelExpression {
    /**
     * An operator is a function too, such as {@code _||_}.
     *
     * @param arguments without the object that the function is a member of
     */
    record Call(String function, List<CelExpression> arguments) implements CelExpression {}

    record Identifier(String name) implements CelExpression {}

    record Select(CelExpression operand, String field) implements CelExpression {}

    /**
     * @param type Go's type of the value
     * @param value of a string; of others as written
     */
    record Literal(String type, String value) implements CelExpression {
        /** The type of strings. */
        static final String STRING = "string";
    }

    record ListOf() implements CelExpression {}

    record MapOf() implements CelExpression {}

    record Struct() implements CelExpression {}

    /** The number of this kind of expression in cel-go, which error messages name. */
    default int kind() {
        return switch (this) {
            case Call _ -> 1;
            case Identifier _ -> 3;
            case ListOf _ -> 4;
            case Literal _ -> 5;
            case MapOf _ -> 6;
            case Select _ -> 7;
            case Struct _ -> 8;
        };
    }
}
