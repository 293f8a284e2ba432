package io.tidemark.standalone.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a size in bytes, such as {@code 512m} or {@code 2g}, for picocli. */
public final class ByteSizeConverter implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)");

    @Override
    public Long convert(String text) {
        Matcher size = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a size such as 1073741824, 512m or 2g");
        }
        int shift =
                switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    case "g" -> 30;
                    default -> 0;
                };
        return Math.multiplyExact(Long.parseLong(size.group(1)), 1L << shift);
    }
}
