package io.tidemark.client;

import java.util.List;
import java.util.Locale;

/** The output formats of {@code -o}. */
public enum Output {
    TABLE,
    WIDE,
    JSON,
    YAML,
    NAME;

    /**
     * @param allowed formats that the command supports
     * @throws UsageException when it is none of them
     */
    public static Output parse(String text, List<Output> allowed) {
        for (Output output : allowed) {
            if (output.text().equals(text)) {
                return output;
            }
        }
        throw new UsageException(
                "-o: '%s' is none of %s"
                        .formatted(
                                text,
                                String.join(", ", allowed.stream().map(Output::text).toList())));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
