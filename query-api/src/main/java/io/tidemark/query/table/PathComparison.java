package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Comparisons in filters. Go compares booleans, whole numbers that fit 64 bits, other numbers, and
 * texts, each with its like only.
 */
final class PathComparison {
    private enum Kind {
        BOOLEAN,
        WHOLE,
        FRACTION,
        TEXT,
        OTHER;

        static Kind of(JsonNode value) {
            if (value.isNumber()) {
                return value.isIntegralNumber() && value.canConvertToLong() ? WHOLE : FRACTION;
            }
            return value.isBoolean() ? BOOLEAN : value.isTextual() ? TEXT : OTHER;
        }
    }

    private PathComparison() {}

    /** Whether it holds; empty when Go refuses to compare them. */
    static Optional<Boolean> of(JsonNode left, String operator, JsonNode right) {
        Kind kind = Kind.of(left);
        boolean ordered = kind != Kind.BOOLEAN;
        if (kind == Kind.OTHER || kind != Kind.of(right)) {
            return Optional.empty();
        }
        int order = order(kind, left, right);
        return switch (operator) {
            case "==" -> Optional.of(order == 0);
            case "!=" -> Optional.of(order != 0);
            case "<" -> ordered ? Optional.of(order < 0) : Optional.empty();
            case "<=" -> ordered ? Optional.of(order <= 0) : Optional.empty();
            case ">" -> ordered ? Optional.of(order > 0) : Optional.empty();
            case ">=" -> ordered ? Optional.of(order >= 0) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static int order(Kind kind, JsonNode left, JsonNode right) {
        return switch (kind) {
            case BOOLEAN -> Boolean.compare(left.booleanValue(), right.booleanValue());
            case WHOLE -> Long.compare(left.longValue(), right.longValue());
            // A negative zero equals zero.
            case FRACTION -> Double.compare(left.doubleValue() + 0.0, right.doubleValue() + 0.0);
            case TEXT, OTHER -> order(left.asText(), right.asText());
        };
    }

    /** By characters, which is the order of their bytes in UTF-8. */
    private static int order(String left, String right) {
        int shorter = Math.min(left.length(), right.length());
        int at = 0;
        while (at < shorter && left.charAt(at) == right.charAt(at)) {
            at++;
        }
        return at == shorter
                ? Integer.compare(left.length(), right.length())
                : Integer.compare(left.codePointAt(at), right.codePointAt(at));
    }
}
