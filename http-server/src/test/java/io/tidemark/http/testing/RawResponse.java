package io.tidemark.http.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A response of which the head has been read.
 *
 * @param head with the empty line at its end
 * @param headers by names in lower case
 * @param body without its transfer encoding, read on demand. Reading fails with an {@link
 *     EOFException} when the connection ends before the body does.
 */
public record RawResponse(
        String head, int status, Map<String, List<String>> headers, InputStream body) {
    private static final int MAX_LINE = 64 << 10;

    /** A header's values, joined by a comma; empty when there is none. */
    public String header(String name) {
        return String.join(", ", headers.getOrDefault(name, List.of()));
    }

    /** The head and the whole body. */
    public String text() throws IOException {
        return head + new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Skips informational responses; empty at the end of the connection. */
    static Optional<RawResponse> read(InputStream in, boolean toHead) throws IOException {
        while (true) {
            Optional<String> first = line(in);
            if (first.isEmpty()) {
                return Optional.empty();
            }
            int status = status(first.get());
            StringBuilder head = new StringBuilder(first.get()).append("\r\n");
            Map<String, List<String>> headers = readHeaders(in, head);
            if (status >= 200 || status == 101) {
                boolean empty = toHead || status == 204 || status == 304;
                InputStream body =
                        empty ? InputStream.nullInputStream() : body(in, status, headers);
                return Optional.of(new RawResponse(head.toString(), status, headers, body));
            }
        }
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?")) {
            throw new IOException("not the beginning of a response: " + line);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private static Map<String, List<String>> readHeaders(InputStream in, StringBuilder head)
            throws IOException {
        Map<String, List<String>> headers = new TreeMap<>();
        while (true) {
            String line = requiredLine(in);
            head.append(line).append("\r\n");
            if (line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("no header: " + line);
            }
            headers.computeIfAbsent(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            _ -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
    }

    private static InputStream body(InputStream in, int status, Map<String, List<String>> headers)
            throws IOException {
        List<String> lengths = headers.getOrDefault("content-length", List.of());
        boolean chunked = headers.containsKey("transfer-encoding");
        if (chunked && !lengths.isEmpty()) {
            throw new IOException("both a length and chunks");
        }
        if (chunked) {
            return ResponseBody.inChunks(in);
        }
        return status == 101 || lengths.isEmpty()
                ? ResponseBody.toTheEnd(in)
                : ResponseBody.ofLength(in, number(lengths.getFirst(), 10));
    }

    static long number(String text, int radix) throws IOException {
        try {
            return Long.parseUnsignedLong(text, radix);
        } catch (NumberFormatException e) {
            throw new IOException("no number of bytes: " + text, e);
        }
    }

    static String requiredLine(InputStream in) throws IOException {
        return line(in).orElseThrow(() -> new EOFException("the connection ended in a response"));
    }

    /** A line without its end; empty at the end of the connection. */
    private static Optional<String> line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 && line.isEmpty()) {
                return Optional.empty();
            }
            if (next < 0) {
                throw new EOFException("the connection ended in a line: " + line);
            }
            line.append((char) next);
            if (line.length() > MAX_LINE) {
                throw new IOException("a line of more than %d bytes".formatted(MAX_LINE));
            }
        }
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("a line without CR at its end: " + line);
        }
        return Optional.of(line.substring(0, line.length() - 1));
    }
}
