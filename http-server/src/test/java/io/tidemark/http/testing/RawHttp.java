package io.tidemark.http.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection that sends arbitrary bytes, and reads responses strictly: invalid HTTP is an
 * {@link IOException}. It reads only on demand. For one thread; others may close it.
 */
public final class RawHttp implements AutoCloseable {
    /**
     * How to connect.
     *
     * @param from local address; a server counts each as another client
     * @param receiveBuffer bytes that the kernel holds unread, about; 0 for its default
     * @param silence longest wait for the connection and for the next bytes
     */
    public record Options(@Nullable String from, int receiveBuffer, Duration silence) {
        public static final Options DEFAULT = new Options(null, 0, Duration.ofSeconds(30));

        public Options withFrom(String address) {
            return new Options(address, receiveBuffer, silence);
        }

        public Options withReceiveBuffer(int bytes) {
            return new Options(from, bytes, silence);
        }

        public Options withSilence(Duration limit) {
            return new Options(from, receiveBuffer, limit);
        }
    }

    private final Socket socket = new Socket();
    private final InputStream in;
    private boolean bounded;
    private long deadlineNanos;

    public RawHttp(InetSocketAddress server, Options options) throws IOException {
        try {
            if (options.from() != null) {
                socket.bind(new InetSocketAddress(options.from(), 0));
            }
            if (options.receiveBuffer() > 0) {
                socket.setReceiveBufferSize(options.receiveBuffer());
            }
            int silence = Math.toIntExact(options.silence().toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(silence);
            socket.connect(server, silence);
            in = new BufferedInputStream(new Bounded(socket.getInputStream()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Connects to the URL's host and port. */
    public static RawHttp connect(String url, Options options) throws IOException {
        URI uri = URI.create(url);
        return new RawHttp(new InetSocketAddress(uri.getHost(), uri.getPort()), options);
    }

    public static RawHttp connect(String url) throws IOException {
        return connect(url, Options.DEFAULT);
    }

    /**
     * Sends a request over a separate connection, and returns all that comes until the server
     * closes it.
     */
    public static String exchange(String url, String request) throws IOException {
        try (RawHttp connection = connect(url)) {
            connection.send(request);
            return new String(connection.in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Sends each character as one byte. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /**
     * Sends a GET to the host {@code localhost}.
     *
     * @param headers more lines of the head
     */
    public void get(String path, String... headers) throws IOException {
        StringBuilder head = new StringBuilder();
        head.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        send(head.append("\r\n").toString());
    }

    /** Sends the end of the stream; responses can still be read. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /**
     * Reads the next response's head. The body of the previous one must have been read.
     *
     * @param toHead whether it has no body in any case, as the response to a HEAD
     * @return empty when the server has closed the connection instead
     */
    public Optional<RawResponse> nextResponse(boolean toHead) throws IOException {
        return RawResponse.read(in, toHead);
    }

    /**
     * Reads the head of the next response to another method than HEAD.
     *
     * @throws EOFException when the server has closed the connection instead
     */
    public RawResponse response() throws IOException {
        return nextResponse(false)
                .orElseThrow(() -> new EOFException("closed instead of a response"));
    }

    /** Sends a request, and returns its whole response with its head. */
    public String ask(String request) throws IOException {
        send(request);
        return response().text();
    }

    /** What comes, as it comes. */
    public InputStream in() {
        return in;
    }

    /** Waits until the server has closed the connection; false when bytes come instead. */
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException _) {
            return true;
        }
    }

    /**
     * From now on, all that is read must come within this time, also if it trickles.
     *
     * @param limit after which reading fails with a {@link SocketTimeoutException}
     */
    public void within(Duration limit) throws IOException {
        socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
        deadlineNanos = System.nanoTime() + limit.toNanos();
        bounded = true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private final class Bounded extends FilterInputStream {
        Bounded(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (bounded && System.nanoTime() - deadlineNanos > 0) {
                throw new SocketTimeoutException("not complete in time");
            }
            return in.read(buffer, offset, length);
        }
    }
}
