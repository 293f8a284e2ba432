package io.tidemark.golden;

import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * One exchange over HTTP/1.1 on a separate connection. It sends a request line and headers exactly
 * as given (other clients tidy paths, refuse methods and add headers), and understands the bodies
 * that servers of this kind send: lengths, chunks, or all until the end.
 */
final class RawHttp implements AutoCloseable {
    private static final int MAX_LINE = 64 * 1024;
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final Socket socket;
    private final InputStream in;
    private final int status;
    private final Map<String, String> headers;
    private final InputStream body;

    private RawHttp(Socket socket, RawRequest asked) throws IOException {
        this.socket = socket;
        socket.getOutputStream().write(encode(asked, socket));
        in = new BufferedInputStream(socket.getInputStream());
        status = Integer.parseInt(readLine(in).split(" ", 3)[1]);
        headers = readHeaders(in);
        body = bodyOf(asked.method());
    }

    /**
     * Sends the request and returns when the headers of the answer have arrived.
     *
     * @param silence how long nothing may come before reading fails
     */
    static RawHttp open(InetSocketAddress server, RawRequest asked, Duration silence)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(server, CONNECT_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
            return new RawHttp(socket, asked);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The whole exchange. */
    static Answer ask(InetSocketAddress server, RawRequest asked, Duration silence)
            throws IOException {
        try (RawHttp http = open(server, asked, silence)) {
            return new Answer(http.status, http.headers, http.body().readAllBytes());
        }
    }

    int status() {
        return status;
    }

    /** With names in lower case; values of a repeated one are joined by a comma. */
    Map<String, String> headers() {
        return headers;
    }

    /** Without its transfer and content encoding; call it once. */
    InputStream body() throws IOException {
        boolean packed = headers.getOrDefault("content-encoding", "").equals("gzip");
        return packed ? new GZIPInputStream(body) : body;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static byte[] encode(RawRequest asked, Socket socket) {
        StringBuilder head = new StringBuilder();
        head.append(asked.method()).append(' ').append(asked.target()).append(" HTTP/1.1\r\n");
        head.append("Host: 127.0.0.1:").append(socket.getPort()).append("\r\n");
        asked.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        if (asked.body().length > 0) {
            head.append("Content-Length: ").append(asked.body().length).append("\r\n");
        }
        head.append("\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(asked.body());
        return bytes.toByteArray();
    }

    private static Map<String, String> readHeaders(InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (first, second) -> first + ", " + second);
        }
        return headers;
    }

    private InputStream bodyOf(String method) throws IOException {
        if (method.equals("HEAD") || status == 204 || status == 304) {
            return new ByteArrayInputStream(new byte[0]);
        }
        InputStream plain = in;
        if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            plain = new ChunkedBody(in);
        } else if (headers.containsKey("content-length")) {
            int length = Integer.parseInt(headers.getOrDefault("content-length", ""));
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException("%d of %d bytes".formatted(bytes.length, length));
            }
            plain = new ByteArrayInputStream(bytes);
        }
        return plain;
    }

    /** Up to the next line end, exclusive. */
    static String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() > MAX_LINE) {
                throw new EOFException("no end of line after: " + line);
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }
}
