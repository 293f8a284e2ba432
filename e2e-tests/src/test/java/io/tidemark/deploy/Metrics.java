package io.tidemark.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of metrics, where they are written and where they are served. */
final class Metrics {
    private static final Pattern NAME =
            Pattern.compile("\\b(?:tidemark|apiserver|process|jvm|system)_[a-z0-9_]+");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| (\\w+) ");

    private Metrics() {}

    /** All in an expression or a text of PromQL. */
    static Set<String> named(String expression) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(expression);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    /** The metric that a series belongs to. */
    static String base(String series) {
        return series.replaceFirst("_(bucket|count|sum|max)$", "");
    }

    /** Those of a response of {@code /metrics}. */
    static Set<String> served(String response) {
        Set<String> names = new TreeSet<>();
        response.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .forEach(line -> names.add(base(line.replaceFirst("[{ ].*", ""))));
        return names;
    }

    /** Those of the tables of the reference. */
    static Set<String> documented() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
        while (rows.find()) {
            names.add(base(rows.group(1)));
        }
        return names;
    }
}
