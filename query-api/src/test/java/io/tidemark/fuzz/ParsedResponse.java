package io.tidemark.fuzz;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A parsed response.
 *
 * @param headers by lower-case name
 * @param body without its framing
 * @param complete whether it ended as its framing says; otherwise it was cut off
 */
record ParsedResponse(
        int status, Map<String, List<String>> headers, byte[] body, boolean complete) {
    ParsedResponse {
        headers = new TreeMap<>(headers);
    }

    /** The first header of a name; empty when there is none. */
    String header(String name) {
        return headers.getOrDefault(name, List.of("")).getFirst();
    }

    /** Without its parameters. */
    String mediaType() {
        return header("content-type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    boolean closes() {
        return header("connection").toLowerCase(Locale.ROOT).contains("close")
                || status == 101
                || !complete;
    }
}
