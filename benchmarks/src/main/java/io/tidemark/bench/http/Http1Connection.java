package io.tidemark.bench.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/1.1, plain or over TLS. */
abstract sealed class Http1Connection implements Connection {
    private final Target target;
    private final ResponseReader responses;

    private Http1Connection(Target target, ByteBuffer buffer) {
        this.target = target;
        this.responses = new ResponseReader(this::read, buffer);
    }

    /**
     * @param bufferBytes bytes that one read takes at most
     * @param receiveBufferBytes bytes that the kernel holds for a client that does not read, about;
     *     0 for as many as it likes
     */
    static Http1Connection open(Target target, int bufferBytes, int receiveBufferBytes)
            throws IOException {
        return target.isTls()
                ? new Tls(target, bufferBytes, receiveBufferBytes)
                : new Plain(target, bufferBytes, receiveBufferBytes);
    }

    @Override
    public ResponseReader.Head send(Request request) throws IOException {
        write(request.encode(target));
        return responses.readHead();
    }

    @Override
    public long readBody(BodySink sink) throws IOException {
        return responses.readBody(sink);
    }

    abstract int read(ByteBuffer into) throws IOException;

    abstract void write(byte[] bytes) throws IOException;

    private static final class Plain extends Http1Connection {
        private final SocketChannel channel;

        Plain(Target target, int bufferBytes, int receiveBufferBytes) throws IOException {
            super(target, little(ByteBuffer.allocateDirect(bufferBytes)));
            channel = SocketChannel.open();
            try {
                if (receiveBufferBytes > 0) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
                }
                channel.socket().connect(target.address(), Target.CONNECT_MILLIS);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        @Override
        int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        void write(byte[] bytes) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException _) {
                // Nothing is lost: the answer is only counted.
            }
        }
    }

    private static final class Tls extends Http1Connection {
        private final SSLSocket socket;
        private final InputStream in;
        private final OutputStream out;

        Tls(Target target, int bufferBytes, int receiveBufferBytes) throws IOException {
            super(target, little(ByteBuffer.allocate(bufferBytes)));
            socket = TlsSockets.open(target, receiveBufferBytes, "http/1.1");
            in = socket.getInputStream();
            out = socket.getOutputStream();
        }

        @Override
        int read(ByteBuffer into) throws IOException {
            int read = in.read(into.array(), into.position(), into.remaining());
            if (read > 0) {
                into.position(into.position() + read);
            }
            return read;
        }

        @Override
        void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException _) {
                // Nothing is lost: the answer is only counted.
            }
        }
    }

    private static ByteBuffer little(ByteBuffer buffer) {
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
}
