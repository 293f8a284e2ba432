package io.tidemark.query.shard;

import io.tidemark.query.shard.CelExpression.Call;
import io.tidemark.query.shard.CelExpression.Identifier;
import io.tidemark.query.shard.CelExpression.ListOf;
import io.tidemark.query.shard.CelExpression.Literal;
import io.tidemark.query.shard.CelExpression.MapOf;
import io.tidemark.query.shard.CelExpression.Select;
import io.tidemark.query.shard.CelExpression.Struct;
import io.tidemark.query.shard.CelToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Parses the grammar of CEL by recursive descent, without macros. Reports the first error in the
 * words of the API server's parser.
 */
final class CelParser {
    /** As in cel-go; bounds the stack. */
    private static final int MAX_DEPTH = 250;

    private static final String OPERANDS =
            "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT,"
                    + " STRING, BYTES, IDENTIFIER}";

    /** Binary operators, the loosest first. */
    private static final List<Set<String>> LEVELS =
            List.of(
                    Set.of("||"),
                    Set.of("&&"),
                    Set.of("==", "!=", "<", "<=", ">", ">=", "in"),
                    Set.of("+", "-"),
                    Set.of("*", "/", "%"));

    private static final Set<String> RESERVED =
            Set.of(
                    "as",
                    "break",
                    "const",
                    "continue",
                    "else",
                    "for",
                    "function",
                    "if",
                    "import",
                    "let",
                    "loop",
                    "package",
                    "namespace",
                    "return",
                    "var",
                    "void",
                    "while");

    private final List<CelToken> tokens;
    private int at;
    private int depth;

    private CelParser(List<CelToken> tokens) {
        this.tokens = tokens;
    }

    static CelExpression parse(String text) throws ShardSyntaxException {
        CelParser parser = new CelParser(CelToken.scan(text));
        CelExpression expression = parser.expression();
        if (parser.token().kind() != Kind.END) {
            throw parser.unexpected("<EOF>", parser.ahead(1).kind() == Kind.END);
        }
        return expression;
    }

    private CelExpression expression() throws ShardSyntaxException {
        if (++depth > MAX_DEPTH) {
            throw ShardSyntaxException.cel(
                    "expression recursion limit exceeded: %d".formatted(MAX_DEPTH));
        }
        CelExpression condition = binary(0);
        if (take("?")) {
            CelExpression then = binary(0);
            require(":");
            condition = new Call("_?_:_", List.of(condition, then, expression()));
        }
        depth--;
        return condition;
    }

    /**
     * A loop over operators of all levels: a call per level would deepen the stack sixfold.
     *
     * @param loosest level of the operators that belong to this expression
     */
    private CelExpression binary(int loosest) throws ShardSyntaxException {
        CelExpression left = unary();
        for (int level = level(); level >= loosest; level = level()) {
            String operator = token().text();
            at++;
            String function = operator.equals("in") ? "@in" : "_" + operator + "_";
            left = new Call(function, List.of(left, binary(level + 1)));
        }
        return left;
    }

    /** The level of the binary operator that comes next; -1 when none does. */
    private int level() {
        CelToken token = token();
        boolean operator = token.kind() == Kind.SYMBOL || token.text().equals("in");
        for (int i = 0; operator && i < LEVELS.size(); i++) {
            if (LEVELS.get(i).contains(token.text())) {
                return i;
            }
        }
        return -1;
    }

    /** An even number of equal signs cancels out, as in cel-go. */
    private CelExpression unary() throws ShardSyntaxException {
        String sign = token().is("!") ? "!" : "-";
        int signs = 0;
        while (take(sign)) {
            signs++;
        }
        CelExpression operand = member();
        boolean signed = signs % 2 == 1;
        if (signed && sign.equals("-") && operand instanceof Literal literal && signs == 1) {
            return literal;
        }
        return signed ? new Call(sign + "_", List.of(operand)) : operand;
    }

    private CelExpression member() throws ShardSyntaxException {
        CelExpression operand = primary();
        while (true) {
            if (take(".")) {
                String name = identifier();
                operand = take("(") ? new Call(name, arguments(")")) : new Select(operand, name);
            } else if (take("[")) {
                CelExpression index = expression();
                require("]");
                operand = new Call("_[_]", List.of(operand, index));
            } else {
                return operand;
            }
        }
    }

    private CelExpression primary() throws ShardSyntaxException {
        CelToken token = token();
        switch (token.kind()) {
            case INT, UINT, FLOAT, STRING, BYTES -> {
                at++;
                return literal(token);
            }
            case IDENTIFIER -> {
                return named("");
            }
            case SYMBOL -> {
                if (take("(")) {
                    CelExpression inner = expression();
                    require(")");
                    return inner;
                }
                if (take("[")) {
                    arguments("]");
                    return new ListOf();
                }
                if (take("{")) {
                    entries();
                    return new MapOf();
                }
                if (take(".")) {
                    return named(".");
                }
                throw unexpected(OPERANDS, isOperand(ahead(1)));
            }
            case END -> throw unexpected(OPERANDS, false);
        }
        throw new IllegalStateException(token.toString());
    }

    /** An identifier, a call, a literal with a name, or a message that begins here. */
    private CelExpression named(String before) throws ShardSyntaxException {
        String name = identifier();
        switch (name) {
            case "true", "false" -> {
                return new Literal("bool", name);
            }
            case "null" -> {
                return new Literal("structpb.NullValue", name);
            }
            default -> {
                if (take("(")) {
                    return new Call(before + name, arguments(")"));
                }
                if (take("{")) {
                    entries();
                    return new Struct();
                }
                if (RESERVED.contains(name)) {
                    throw ShardSyntaxException.cel("reserved identifier: " + name);
                }
                return new Identifier(before + name);
            }
        }
    }

    private static CelExpression literal(CelToken token) throws ShardSyntaxException {
        String text = token.text();
        return switch (token.kind()) {
            case INT -> {
                number(text, false);
                yield new Literal("int64", text);
            }
            case UINT -> {
                number(text.substring(0, text.length() - 1), true);
                yield new Literal("uint64", text);
            }
            case FLOAT -> new Literal("float64", text);
            case BYTES -> new Literal("[]uint8", text);
            default -> new Literal(Literal.STRING, token.value());
        };
    }

    private static void number(String text, boolean unsigned) throws ShardSyntaxException {
        boolean hex = text.startsWith("0x");
        String digits = hex ? text.substring(2) : text;
        try {
            if (unsigned) {
                Long.parseUnsignedLong(digits, hex ? 16 : 10);
            } else {
                Long.parseLong(digits, hex ? 16 : 10);
            }
        } catch (NumberFormatException _) {
            throw ShardSyntaxException.cel(
                    "invalid %s literal".formatted(unsigned ? "uint" : "int"));
        }
    }

    private List<CelExpression> arguments(String end) throws ShardSyntaxException {
        List<CelExpression> arguments = new ArrayList<>();
        if (take(end)) {
            return arguments;
        }
        do {
            arguments.add(expression());
        } while (take(","));
        require(end);
        return arguments;
    }

    /** The entries of a map or a message: what they are does not matter, as neither is allowed. */
    private void entries() throws ShardSyntaxException {
        if (take("}")) {
            return;
        }
        do {
            CelExpression _ = expression();
            require(":");
            CelExpression _ = expression();
        } while (take(",") && !token().is("}"));
        require("}");
    }

    private String identifier() throws ShardSyntaxException {
        CelToken token = token();
        if (token.kind() != Kind.IDENTIFIER || token.text().equals("in")) {
            throw unexpected("IDENTIFIER", ahead(1).kind() == Kind.IDENTIFIER);
        }
        at++;
        return token.text();
    }

    private boolean take(String symbol) {
        boolean taken = token().is(symbol);
        if (taken) {
            at++;
        }
        return taken;
    }

    private void require(String symbol) throws ShardSyntaxException {
        if (take(symbol)) {
            return;
        }
        if (token().kind() == Kind.END) {
            throw syntax("missing '%s' at '<EOF>'".formatted(symbol));
        }
        throw unexpected("'" + symbol + "'", ahead(1).is(symbol));
    }

    private static boolean isOperand(CelToken token) {
        return switch (token.kind()) {
            case SYMBOL -> "[{(.-!".contains(token.text());
            case END -> false;
            default -> true;
        };
    }

    /**
     * @param extraneous whether parsing could go on without the token
     */
    private ShardSyntaxException unexpected(String expected, boolean extraneous) {
        return syntax(
                "%s input '%s' expecting %s"
                        .formatted(
                                extraneous ? "extraneous" : "mismatched",
                                token().text(),
                                expected));
    }

    private static ShardSyntaxException syntax(String problem) {
        return ShardSyntaxException.cel("Syntax error: " + problem);
    }

    private CelToken token() {
        return tokens.get(at);
    }

    /** A token behind the next one; the end when there is none. */
    private CelToken ahead(int count) {
        return tokens.get(Math.min(at + count, tokens.size() - 1));
    }
}
