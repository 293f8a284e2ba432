package io.tidemark.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as Go prints them. */
public final class GoNumbers {
    private GoNumbers() {}

    /**
     * As {@code encoding/json} prints a double: the shortest digits that read back as the same one,
     * plain from 1e-6 up to below 1e21, else with an exponent ({@code 1e+21}, {@code 1e-7}).
     * Negative zero is {@code -0}.
     */
    public static String print(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal decimal = shortest(value);
        double size = Math.abs(value);
        return size >= 1e-6 && size < 1e21
                ? decimal.toPlainString()
                : scientific(decimal, Integer.toString(Math.abs(exponent(decimal))));
    }

    /**
     * As {@code fmt} and YAML print a finite double: the same digits, plain from 1e-4 up to below
     * 1e6, else with an exponent of at least two digits ({@code 1e+06}, {@code 1e-05}).
     */
    public static String general(double value) {
        if (value == 0) {
            return print(value);
        }
        BigDecimal decimal = shortest(value);
        int exponent = exponent(decimal);
        return exponent >= -4 && exponent < 6
                ? decimal.toPlainString()
                : scientific(decimal, "%02d".formatted(Math.abs(exponent)));
    }

    private static int exponent(BigDecimal decimal) {
        return decimal.precision() - 1 - decimal.scale();
    }

    private static String scientific(BigDecimal decimal, String exponent) {
        String digits = decimal.unscaledValue().abs().toString();
        StringBuilder text = new StringBuilder();
        text.append(decimal.signum() < 0 ? "-" : "").append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        return text.append('e')
                .append(exponent(decimal) < 0 ? '-' : '+')
                .append(exponent)
                .toString();
    }

    /**
     * A JSON number that Go has parsed without a type: an integer if it has neither dot nor
     * exponent and fits 64 bits, else a double.
     *
     * @throws MalformedJsonException when it exceeds the range of doubles
     */
    public static String reprint(String literal) {
        if (literal.indexOf('.') < 0 && literal.indexOf('e') < 0 && literal.indexOf('E') < 0) {
            try {
                return Long.toString(Long.parseLong(literal));
            } catch (NumberFormatException tooLong) {
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
