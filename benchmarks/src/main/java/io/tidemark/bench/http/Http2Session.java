package io.tidemark.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/2 (RFC 9113) over TLS, for GET requests. One virtual thread reads it, and
 * gives each part of a body to its stream from its buffer; a stream without a reader holds up all
 * others. Windows are those of Go's client: 4 MiB for a stream, 1 GiB for the connection.
 */
final class Http2Session implements AutoCloseable {
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME_HEAD = 9;

    /** The largest frame that a server may send by default. */
    private static final int MAX_FRAME = 16 << 10;

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int STREAM_WINDOW = 4 << 20;
    private static final int CONNECTION_WINDOW = 1 << 30;
    private static final int DEFAULT_WINDOW = 65_535;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;

    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;

    private static final int CANCEL = 8;
    private static final int SETTING_TABLE_SIZE = 1;
    private static final int SETTING_PUSH = 2;
    private static final int SETTING_WINDOW = 4;

    private final Target target;
    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Map<Integer, Open> streams = new ConcurrentHashMap<>();

    /** Between position and limit: read and not yet used. */
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).flip();

    /** Bytes of all streams since the server was last told of them; for the reader alone. */
    private int unannounced;

    // Guarded by out.
    private int nextStream = 1;
    private @Nullable IOException end;

    /** A stream, and the bytes it received since the server was last told of it. */
    private static final class Open {
        final Http2Stream stream;
        int unannounced;

        Open(Http2Stream stream) {
            this.stream = stream;
        }
    }

    private Http2Session(Target target, SSLSocket socket) throws IOException {
        this.target = target;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /**
     * @param receiveBufferBytes bytes that the kernel holds for a client that does not read, about;
     *     0 for as many as it likes
     */
    static Http2Session open(Target target, int receiveBufferBytes) throws IOException {
        SSLSocket socket = TlsSockets.open(target, receiveBufferBytes, "h2");
        Http2Session session = new Http2Session(target, socket);
        try {
            session.greet();
        } catch (IOException e) {
            session.close();
            throw e;
        }
        Thread.ofVirtual().start(session::read);
        return session;
    }

    Http2Stream newStream() {
        return new Http2Stream(this);
    }

    private void greet() throws IOException {
        ByteBuffer settings = ByteBuffer.allocate(18);
        settings.putShort((short) SETTING_TABLE_SIZE).putInt(0);
        settings.putShort((short) SETTING_PUSH).putInt(0);
        settings.putShort((short) SETTING_WINDOW).putInt(STREAM_WINDOW);
        synchronized (out) {
            out.write(PREFACE);
            write(SETTINGS, 0, 0, settings.array());
            write(WINDOW_UPDATE, 0, 0, number(CONNECTION_WINDOW - DEFAULT_WINDOW));
            out.flush();
        }
    }

    /** Sends a request on a new stream, and returns its number. */
    int begin(Http2Stream stream, Request request) throws IOException {
        byte[] headers = HeaderBlock.encode(request, target);
        if (headers.length > MAX_FRAME) {
            throw new ProtocolException("a request of more than 16 KiB");
        }
        synchronized (out) {
            if (end != null) {
                throw new IOException(end.getMessage(), end);
            }
            int id = nextStream;
            nextStream += 2;
            streams.put(id, new Open(stream));
            send(HEADERS, END_STREAM | END_HEADERS, id, headers);
            return id;
        }
    }

    void cancel(int id) {
        streams.remove(id);
        try {
            send(RESET, 0, id, number(CANCEL));
        } catch (IOException _) {
            // The connection has ended, and the stream with it.
        }
    }

    private void read() {
        try {
            while (true) {
                frame();
            }
        } catch (IOException | RuntimeException e) {
            IOException reason =
                    switch (e) {
                        case EOFException _ -> new EOFException("the server closed the connection");
                        case IOException failed -> failed;
                        default -> new IOException("a frame is not valid: " + e, e);
                    };
            synchronized (out) {
                end = reason;
            }
            streams.values().forEach(open -> open.stream.onFailure(reason));
        }
    }

    private void frame() throws IOException {
        require(FRAME_HEAD);
        int length = unsigned(3);
        int type = unsigned(1);
        int flags = unsigned(1);
        int id = unsigned(4) & Integer.MAX_VALUE;
        if (length > MAX_FRAME) {
            throw new ProtocolException("a frame of " + length + " bytes");
        }
        require(length);
        int limit = buffer.limit();
        int next = buffer.position() + length;
        buffer.limit(next);
        switch (type) {
            case DATA -> data(id, flags, length);
            case HEADERS -> headers(id, flags);
            case RESET -> {
                int code = unsigned(4);
                Open open = streams.remove(id);
                if (open != null) {
                    open.stream.onFailure(new IOException("the server reset a stream: " + code));
                }
            }
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    send(SETTINGS, ACK, 0, new byte[0]);
                }
            }
            case PING -> {
                if ((flags & ACK) == 0) {
                    byte[] payload = new byte[length];
                    buffer.get(payload);
                    send(PING, ACK, 0, payload);
                }
            }
            case GO_AWAY -> throw new EOFException();
            default -> {
                // The server's windows do not matter to requests without a body.
            }
        }
        buffer.limit(limit).position(next);
    }

    private void data(int id, int flags, int length) throws IOException {
        removePadding(flags);
        Open open = streams.get(id);
        if (open != null) {
            open.stream.onData(buffer);
            open.unannounced += length;
            if ((flags & END_STREAM) != 0) {
                ended(id, open);
            } else if (open.unannounced > STREAM_WINDOW / 2) {
                send(WINDOW_UPDATE, 0, id, number(open.unannounced));
                open.unannounced = 0;
            }
        }
        unannounced += length;
        if (unannounced > CONNECTION_WINDOW / 2) {
            send(WINDOW_UPDATE, 0, 0, number(unannounced));
            unannounced = 0;
        }
    }

    /**
     * The head of a response, or its trailers; of a head that goes on, the first frame is enough.
     */
    private void headers(int id, int flags) throws IOException {
        removePadding(flags);
        if ((flags & PRIORITY) != 0) {
            buffer.position(buffer.position() + PRIORITY_BYTES);
        }
        Open open = streams.get(id);
        if (open == null) {
            return;
        }
        if ((flags & END_STREAM) == 0 || !open.stream.hasHead()) {
            open.stream.onHead(HeaderBlock.status(buffer));
        }
        if ((flags & END_STREAM) != 0) {
            ended(id, open);
        }
    }

    private void ended(int id, Open open) {
        streams.remove(id);
        open.stream.onEnd();
    }

    private void removePadding(int flags) {
        if ((flags & PADDED) != 0) {
            int padding = unsigned(1);
            buffer.limit(buffer.limit() - padding);
        }
    }

    /** Big-endian, as HTTP/2 has it; the buffer's order is that of the sinks. */
    private int unsigned(int bytes) {
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | buffer.get() & 0xff;
        }
        return value;
    }

    private void require(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        while (buffer.position() < bytes) {
            int read = in.read(buffer.array(), buffer.position(), buffer.remaining());
            if (read < 0) {
                throw new EOFException();
            }
            buffer.position(buffer.position() + read);
        }
        buffer.flip();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private void send(int type, int flags, int id, byte[] payload) throws IOException {
        synchronized (out) {
            write(type, flags, id, payload);
            out.flush();
        }
    }

    private void write(int type, int flags, int id, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD + payload.length);
        frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(id).put(payload);
        out.write(frame.array());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // Nothing is lost: the answers are only counted.
        }
    }
}
