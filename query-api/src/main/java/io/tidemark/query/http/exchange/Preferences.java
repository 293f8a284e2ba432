package io.tidemark.query.http.exchange;

import java.util.Set;

/** How a client wants its response written, as the API server reads it. */
final class Preferences {
    /** The strings that Go parses as true. */
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "True", "TRUE");

    private Preferences() {}

    /**
     * Whether to indent JSON: by the {@code pretty} parameter, else for clients that people use.
     *
     * @param asked the parameter; empty without one
     */
    static boolean pretty(String asked, String userAgent) {
        if (!asked.isEmpty()) {
            return TRUE.contains(asked);
        }
        return userAgent.startsWith("curl")
                || userAgent.startsWith("Wget")
                || userAgent.startsWith("Mozilla/5.0");
    }
}
