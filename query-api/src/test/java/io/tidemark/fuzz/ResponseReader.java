package io.tidemark.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parses the responses of a connection strictly: invalid HTTP is an {@link IOException}. */
final class ResponseReader {
    /** How long an unbounded response is read. */
    private static final int LISTEN_MILLIS = 250;

    private static final int MAX_LINE = 64 << 10;

    private final Socket socket;
    private final InputStream in;
    private final int patienceMillis;
    private long deadline;

    ResponseReader(Socket socket, int patienceMillis) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
        this.patienceMillis = patienceMillis;
    }

    /** The next response; empty when the server closes the connection instead. */
    Optional<ParsedResponse> next(boolean head, boolean endless) throws IOException {
        within(patienceMillis);
        while (true) {
            Optional<String> line = line();
            if (line.isEmpty()) {
                return Optional.empty();
            }
            int status = status(line.get());
            Map<String, List<String>> headers = headers();
            if (status >= 200 || status == 101) {
                return Optional.of(body(status, headers, head, endless));
            }
        }
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?")) {
            throw new IOException("not the beginning of an answer: " + line);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, List<String>> headers() throws IOException {
        Map<String, List<String>> headers = new TreeMap<>();
        while (true) {
            String line = line().orElseThrow(() -> new EOFException("inside the headers"));
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

    private ParsedResponse body(
            int status, Map<String, List<String>> headers, boolean head, boolean endless)
            throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean complete = true;
        if (endless && status < 300) {
            within(LISTEN_MILLIS);
        }
        try {
            if (status == 101) {
                copy(Long.MAX_VALUE, body);
            } else if (!head && status != 204 && status != 304) {
                framed(headers, body);
            }
        } catch (SocketTimeoutException e) {
            if (!endless || status >= 300) {
                throw e;
            }
            complete = false;
        }
        return new ParsedResponse(status, headers, body.toByteArray(), complete);
    }

    private void framed(Map<String, List<String>> headers, ByteArrayOutputStream body)
            throws IOException {
        if (headers.containsKey("transfer-encoding")) {
            if (headers.containsKey("content-length")) {
                throw new IOException("two ways to say where the body ends");
            }
            chunks(body);
        } else if (headers.containsKey("content-length")) {
            copy(Long.parseLong(headers.get("content-length").getFirst()), body);
        } else {
            copy(Long.MAX_VALUE, body);
        }
    }

    private void chunks(ByteArrayOutputStream body) throws IOException {
        while (true) {
            String size = line().orElseThrow(() -> new EOFException("between chunks"));
            long bytes = Long.parseLong(size, 16);
            copy(bytes, body);
            String end = line().orElseThrow(() -> new EOFException("after a chunk"));
            if (!end.isEmpty()) {
                throw new IOException("no end of a chunk: " + end);
            }
            if (bytes == 0) {
                return;
            }
        }
    }

    /** The deadline for the whole response, also if it trickles. */
    private void within(int millis) throws IOException {
        socket.setSoTimeout(millis);
        deadline = System.nanoTime() + millis * 1_000_000L;
    }

    private void checkTime() throws SocketTimeoutException {
        if (System.nanoTime() - deadline > 0) {
            throw new SocketTimeoutException("it goes on and on");
        }
    }

    /** Copies a number of bytes, or all until the end for {@link Long#MAX_VALUE}. */
    private void copy(long bytes, ByteArrayOutputStream body) throws IOException {
        byte[] buffer = new byte[8 << 10];
        long left = bytes;
        while (left > 0) {
            checkTime();
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0 && bytes == Long.MAX_VALUE) {
                return;
            }
            if (n < 0) {
                throw new EOFException("%d bytes before the end".formatted(left));
            }
            body.write(buffer, 0, n);
            left -= n;
        }
    }

    /** A line without its terminator; empty at the end of the connection. */
    private Optional<String> line() throws IOException {
        checkTime();
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                if (line.isEmpty()) {
                    return Optional.empty();
                }
                throw new EOFException("inside a line: " + line);
            }
            line.append((char) c);
            if (line.length() > MAX_LINE) {
                throw new IOException("a line that does not end");
            }
        }
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("no end of a line: " + line);
        }
        return Optional.of(line.substring(0, line.length() - 1));
    }
}
