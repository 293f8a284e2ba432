package io.tidemark.kubernetes.json;

import io.tidemark.json.MalformedJsonException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as Go's {@code encoding/json} prints them. */
public final class GoNumbers {
    private GoNumbers() {}

    /**
     * The shortest digits that read back as {@code value}: plain from 1e-6 up to below 1e21, else
     * with an exponent ({@code 1e+21}, {@code 1e-7}). Negative zero is {@code -0}.
     */
    public static String print(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal decimal = shortest(value);
        double size = Math.abs(value);
        if (size >= 1e-6 && size < 1e21) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - decimal.scale();
        StringBuilder text = new StringBuilder();
        text.append(value < 0 ? "-" : "").append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        return text.append('e')
                .append(exponent < 0 ? '-' : '+')
                .append(Math.abs(exponent))
                .toString();
    }

    /**
     * A JSON number that Go has parsed without a type: an integer if it has neither dot nor
     * exponent and fits 64 bits, else a double.
     *
     * @throws MalformedJsonException when it exceeds the range of doubles
     */
    static String reprint(String literal) {
        if (literal.indexOf('.') < 0 && literal.indexOf('e') < 0 && literal.indexOf('E') < 0) {
            try {
                return Long.toString(Long.parseLong(literal));
            } catch (NumberFormatException _) {
                // More than 64 bits: a double.
            }
        }
        double value = Double.parseDouble(literal);
        if (Double.isInfinite(value)) {
            throw new MalformedJsonException("not within the range of doubles: " + literal, 0);
        }
        // A negative zero is stored as -0 and read back as the integer 0.
        return value == 0 ? "0" : print(value);
    }

    /**
     * Since Java 19 {@code Double.toString} prints the shortest digits that read back as the same
     * double, but prefers two closer digits where one would do.
     */
    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (decimal.precision() == 2) {
            BigDecimal oneDigit = decimal.round(new MathContext(1, RoundingMode.HALF_EVEN));
            return oneDigit.doubleValue() == value ? oneDigit : decimal;
        }
        return decimal;
    }
}
