package io.tidemark.chaos.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One GET over a separate connection, as simple as possible: hundreds of open watches must cost
 * this JVM almost nothing. Bodies come by length, in chunks or until the end; no redirects, no
 * compression.
 */
final class HttpExchange implements AutoCloseable {
    private static final int MAX_LINE = 16_384;
    private static final int MAX_BODY = 256 << 20;

    private final Socket socket;
    private final InputStream in;
    private final int status;
    private final Map<String, String> headers = new HashMap<>();

    private long left;
    private boolean chunked;
    private boolean inChunk;
    private boolean ended;

    /**
     * Sends the request and reads the response's head.
     *
     * @param silence longest wait for the connection and for the next bytes
     * @throws IOException when there is no response
     */
    HttpExchange(NodeTable.Address node, String path, Duration silence) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) silence.toMillis());
            socket.connect(
                    new InetSocketAddress(InetAddress.getByName(node.host()), node.port()),
                    (int) silence.toMillis());
            String head =
                    "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUser-Agent: chaos\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
                            .formatted(path, node.host(), node.port());
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            in = new BufferedInputStream(socket.getInputStream(), 16_384);
            status = Integer.parseInt(readLine().split(" ", 3)[1]);
            for (String line = readLine(); !line.isEmpty(); line = readLine()) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            chunked = "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
            left = chunked ? 0 : Long.parseLong(headers.getOrDefault("content-length", "-1"));
        } catch (IOException | RuntimeException e) {
            close();
            throw e instanceof IOException io ? io : new IOException("no HTTP answer", e);
        }
    }

    int status() {
        return status;
    }

    /** A header's value; empty when there is none. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Retry-After in seconds. */
    OptionalLong retryAfterSeconds() {
        String value = header("retry-after");
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    /**
     * The whole body.
     *
     * @throws EOFException when the connection ended before the body did
     */
    byte[] body() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[16 * 1024];
        while (hasMore()) {
            int most = left < 0 ? some.length : (int) Math.min(left, some.length);
            int got = in.read(some, 0, most);
            if (got < 0) {
                endOfConnection();
            } else {
                all.write(some, 0, got);
                took(got);
            }
            if (all.size() > MAX_BODY) {
                throw new IOException("an answer of more than " + MAX_BODY + " bytes");
            }
        }
        return all.toByteArray();
    }

    /**
     * The next line of the body into {@code line}, without its end; false at the proper end of the
     * body.
     *
     * @throws EOFException when the connection ended before the body did
     */
    boolean nextLine(LineBuffer line) throws IOException {
        line.clear();
        for (int next = read(); next >= 0; next = read()) {
            if (next == '\n') {
                return true;
            }
            line.add((byte) next);
        }
        return false;
    }

    /** The body's next byte; -1 at its proper end. */
    private int read() throws IOException {
        if (!hasMore()) {
            return -1;
        }
        int next = in.read();
        if (next < 0) {
            endOfConnection();
        } else {
            took(1);
        }
        return next;
    }

    /** Whether the body has not ended, as far as is known before it is read. */
    private boolean hasMore() throws IOException {
        if (!ended && left == 0) {
            ended = !chunked || !nextChunk();
        }
        return !ended;
    }

    private void endOfConnection() throws EOFException {
        if (left > 0) {
            throw new EOFException("cut off");
        }
        ended = true;
    }

    private void took(int bytes) {
        if (left > 0) {
            left -= bytes;
        }
    }

    /** The end of the previous chunk may arrive only with the next one: do not wait for it. */
    private boolean nextChunk() throws IOException {
        if (inChunk) {
            readLine();
        }
        inChunk = true;
        left = Long.parseLong(readLine().split(";", 2)[0].strip(), 16);
        return left > 0;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("cut off");
            }
            if (line.length() > MAX_LINE) {
                throw new IOException("a line of more than " + MAX_LINE + " characters");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
