package io.tidemark.query.testing;

import io.tidemark.http.testing.RawHttp;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A low-level WebSocket client, which can also misbehave. */
public final class RawSocket implements AutoCloseable {
    public static final int TEXT = 1;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;
    private static final byte[] NO_MASK = new byte[4];

    /** A received frame. */
    public record Frame(boolean last, int opcode, String payload) {}

    private final RawHttp connection;
    private final DataInputStream in;
    private final String head;

    /** Requests an upgrade with the URL's host. */
    public static RawSocket open(String url, String path, String... headers) throws IOException {
        return new RawSocket(url, URI.create(url).getHost(), path, headers);
    }

    /**
     * Requests an upgrade.
     *
     * @param host the Host header
     */
    public RawSocket(String url, String host, String path, String[] headers) throws IOException {
        connection = RawHttp.connect(url);
        StringBuilder request =
                new StringBuilder("GET %s HTTP/1.1\r\nHost: %s\r\n".formatted(path, host))
                        .append("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        connection.send(request.append("\r\n").toString());
        in = new DataInputStream(connection.in());
        head = connection.response().head();
    }

    /** The headers of a handshake. */
    public static String[] handshake(String... more) {
        String[] headers = new String[more.length + 2];
        headers[0] = "Sec-WebSocket-Version: 13";
        headers[1] = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        System.arraycopy(more, 0, headers, 2, more.length);
        return headers;
    }

    /** The status line and headers of the response. */
    public String head() {
        return head;
    }

    public Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = (int) in.readLong();
        }
        byte[] payload = in.readNBytes(length);
        return new Frame(
                (first & 0x80) != 0, first & 0xf, new String(payload, StandardCharsets.UTF_8));
    }

    /** Sends a frame of up to 125 bytes. */
    public void send(int opcode, String payload) throws IOException {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[bytes.length + 6];
        frame[0] = (byte) (0x80 | opcode);
        frame[1] = (byte) (0x80 | bytes.length);
        System.arraycopy(NO_MASK, 0, frame, 2, 4);
        System.arraycopy(bytes, 0, frame, 6, bytes.length);
        connection.send(frame);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
