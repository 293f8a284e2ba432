package io.tidemark.peer.wire;

import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.SelectionBounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Encodes and decodes a selection. */
final class SelectionCodec {
    private static final int LEAST_REQUIREMENT = 2 + 2 * Integer.BYTES;

    private SelectionCodec() {}

    static void write(Selection selection, WireOutput out) {
        out.flag(selection.kubernetesOnly());
        out.int32(selection.requirements().size());
        for (Requirement requirement : selection.requirements()) {
            out.oneByte(code(requirement.source()));
            out.text(requirement.name());
            out.oneByte(code(requirement.operator()));
            out.int32(requirement.values().size());
            requirement.values().forEach(out::text);
        }
    }

    static Selection read(WireInput in) throws WireException {
        boolean kubernetesOnly = in.flag();
        int count = in.count(LEAST_REQUIREMENT);
        if (count > SelectionBounds.TERMS + 1) {
            // One more than a client may ask for: the name in the request's path.
            throw new WireException(count + " requirements are too many");
        }
        List<Requirement> requirements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Source source = source(in.oneByte());
            String name = in.text();
            Operator operator = operator(in.oneByte());
            int values = in.count(Integer.BYTES);
            Set<String> set = HashSet.newHashSet(values);
            for (int j = 0; j < values; j++) {
                set.add(in.text());
            }
            requirements.add(new Requirement(source, name, operator, set));
        }
        if (SelectionBounds.values(requirements) > SelectionBounds.VALUES + 1) {
            throw new WireException(SelectionBounds.values(requirements) + " values are too many");
        }
        return new Selection(kubernetesOnly, requirements);
    }

    // Explicit codes: the wire format must not depend on the declaration order of constants.

    private static int code(Source source) {
        return switch (source) {
            case LABEL -> 'l';
            case FIELD -> 'f';
        };
    }

    private static Source source(int code) throws WireException {
        return switch (code) {
            case 'l' -> Source.LABEL;
            case 'f' -> Source.FIELD;
            default -> throw new WireException("unknown requirement source: " + code);
        };
    }

    private static int code(Operator operator) {
        return switch (operator) {
            case IN -> '=';
            case NOT_IN -> '!';
            case EXISTS -> '+';
            case ABSENT -> '-';
            case GREATER -> '>';
            case LESS -> '<';
            case HASH_IN -> '#';
        };
    }

    private static Operator operator(int code) throws WireException {
        return switch (code) {
            case '=' -> Operator.IN;
            case '!' -> Operator.NOT_IN;
            case '+' -> Operator.EXISTS;
            case '-' -> Operator.ABSENT;
            case '>' -> Operator.GREATER;
            case '<' -> Operator.LESS;
            case '#' -> Operator.HASH_IN;
            default -> throw new WireException("unknown operator: " + code);
        };
    }
}
