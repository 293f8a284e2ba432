package io.tidemark.view.object;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses paths of fields: names separated by dots. A backslash escapes the next character, so that
 * names can contain dots: {@code metadata.annotations.example\.com/owner}.
 */
public final class FieldPath {
    private FieldPath() {}

    /** The names, outermost first; at least one. */
    public static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        int from = 0;
        while (true) {
            int end = end(path, from);
            names.add(name(path, from, end));
            if (end == path.length()) {
                return names;
            }
            from = end + 1;
        }
    }

    /** The end of the name that begins at {@code from}: a dot, or the end of the path. */
    static int end(String path, int from) {
        int at = from;
        while (at < path.length() && path.charAt(at) != '.') {
            at += path.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, path.length());
    }

    static String name(String path, int from, int end) {
        String written = path.substring(from, end);
        if (written.indexOf('\\') < 0) {
            return written;
        }
        StringBuilder name = new StringBuilder(written.length());
        for (int i = 0; i < written.length(); i++) {
            if (written.charAt(i) == '\\' && i + 1 < written.length()) {
                i++;
            }
            name.append(written.charAt(i));
        }
        return name.toString();
    }
}
