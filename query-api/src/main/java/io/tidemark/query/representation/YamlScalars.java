package io.tidemark.query.representation;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which strings the API server quotes in YAML: those that its library, go-yaml v2, would read as a
 * number, a time or another value that is no string.
 */
final class YamlScalars {
    private static final Set<String> WORDS =
            Set.of(
                    "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False",
                    "FALSE", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off",
                    "OFF", "y", "Y", "n", "N", "<<", "=", ".nan", ".NaN", ".NAN", ".inf", ".Inf",
                    ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF");

    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?)([eE][-+]?[0-9]++)?");

    private static final Pattern WITH_BASE =
            Pattern.compile("([-+]?)0(?:[bB]([01]++)|[oO]?([0-7]++)|[xX]([0-9a-fA-F]++))");

    /** The radix of each group of {@link #WITH_BASE} with digits. */
    private static final int[] RADIX = {0, 0, 2, 8, 16};

    private static final Pattern LEADING_ZEROS = Pattern.compile("^0++");

    /** Of YAML 1.1: Go writes these in quotes for other libraries. */
    private static final Pattern BASE_60 =
            Pattern.compile("[-+]?[0-9][0-9_]*+(:[0-5]?[0-9])++(\\.[0-9_]*+)?");

    private static final Pattern TIME =
            Pattern.compile(
                    "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:"
                            + "[Tt]([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})([.,][0-9]++)?"
                            + "(?:Z|[-+][0-9]{2}:[0-9]{2})"
                            + "|[ ]([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})([.,][0-9]++)?)?");

    private YamlScalars() {}

    static boolean needsQuotes(String text) {
        if (WORDS.contains(text)) {
            return true;
        }
        char first = text.charAt(0);
        if (first == '.') {
            return isFinite(text);
        }
        boolean isSign = first == '-' || first == '+';
        return (isSign || (first >= '0' && first <= '9'))
                && (isNumber(text.replace("_", ""))
                        || isTime(text)
                        || BASE_60.matcher(text).matches());
    }

    private static boolean isNumber(String text) {
        Matcher based = WITH_BASE.matcher(text);
        return isFinite(text) || (based.matches() && fits(based));
    }

    /** Go reads a decimal beyond the range of doubles as a string. */
    private static boolean isFinite(String text) {
        return DECIMAL.matcher(text).matches() && Double.isFinite(Double.parseDouble(text));
    }

    /** Whether it is an int64, or without a sign a uint64. */
    private static boolean fits(Matcher based) {
        String sign = based.group(1);
        for (int group = 2; group <= based.groupCount(); group++) {
            String digits = based.group(group);
            if (digits != null) {
                String significant = LEADING_ZEROS.matcher(digits).replaceFirst("");
                // Longer than an integer of 64 bits in any base; reading it takes quadratic time.
                if (significant.length() > Long.SIZE) {
                    return false;
                }
                BigInteger value = new BigInteger(sign + "0" + significant, RADIX[group]);
                return value.bitLength() <= (sign.isEmpty() ? 64 : 63);
            }
        }
        return false;
    }

    private static boolean isTime(String text) {
        Matcher time = TIME.matcher(text);
        return time.matches() && isDate(time) && isOfDay(time.group(4)) && isOfDay(time.group(6));
    }

    private static boolean isDate(Matcher time) {
        try {
            LocalDate _ =
                    LocalDate.of(
                            Integer.parseInt(time.group(1)),
                            Integer.parseInt(time.group(2)),
                            Integer.parseInt(time.group(3)));
            return true;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static boolean isOfDay(@Nullable String time) {
        if (time == null) {
            return true;
        }
        String[] parts = time.split(":");
        return Integer.parseInt(parts[0]) < 24
                && Integer.parseInt(parts[1]) < 60
                && Integer.parseInt(parts[2]) < 60;
    }
}
