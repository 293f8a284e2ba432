package io.tidemark.bench.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One connection, for one request after the other. Reads of a virtual thread block only that
 * thread. {@link #close} from another thread ends a read.
 */
public abstract sealed class Connection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;

    private final Target target;
    private final ResponseReader responses;

    private Connection(Target target, ByteBuffer buffer) {
        this.target = target;
        this.responses = new ResponseReader(this::read, buffer);
    }

    /**
     * @param bufferBytes bytes that one read takes at most
     */
    public static Connection open(Target target, int bufferBytes) throws IOException {
        return open(target, bufferBytes, 0);
    }

    /**
     * @param receiveBufferBytes bytes that the kernel holds for a client that does not read, about;
     *     0 for as many as it likes
     */
    public static Connection open(Target target, int bufferBytes, int receiveBufferBytes)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(target.base().getHost(), target.port());
        return target.isTls()
                ? new Tls(target, address, bufferBytes, receiveBufferBytes)
                : new Plain(target, address, bufferBytes, receiveBufferBytes);
    }

    /** Sends a request and reads the head of its response. */
    public ResponseReader.Head send(Request request) throws IOException {
        write(request.encode(target));
        return responses.readHead();
    }

    /**
     * Reads the body of the last response.
     *
     * @return its bytes, without framing
     */
    public long readBody(BodySink sink) throws IOException {
        return responses.readBody(sink);
    }

    abstract int read(ByteBuffer into) throws IOException;

    abstract void write(byte[] bytes) throws IOException;

    @Override
    public abstract void close();

    private static final class Plain extends Connection {
        private final SocketChannel channel;

        Plain(Target target, InetSocketAddress address, int bufferBytes, int receiveBufferBytes)
                throws IOException {
            super(target, little(ByteBuffer.allocateDirect(bufferBytes)));
            channel = SocketChannel.open();
            try {
                if (receiveBufferBytes > 0) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
                }
                channel.socket().connect(address, CONNECT_MILLIS);
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

    private static final class Tls extends Connection {
        private final SSLSocket socket;
        private final InputStream in;
        private final OutputStream out;

        Tls(Target target, InetSocketAddress address, int bufferBytes, int receiveBufferBytes)
                throws IOException {
            super(target, little(ByteBuffer.allocate(bufferBytes)));
            Socket plain = new Socket();
            try {
                if (receiveBufferBytes > 0) {
                    plain.setReceiveBufferSize(receiveBufferBytes);
                }
                plain.connect(address, CONNECT_MILLIS);
                plain.setTcpNoDelay(true);
                socket =
                        (SSLSocket)
                                target.tls()
                                        .getSocketFactory()
                                        .createSocket(
                                                plain,
                                                target.base().getHost(),
                                                target.port(),
                                                true);
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"http/1.1"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                in = socket.getInputStream();
                out = socket.getOutputStream();
            } catch (IOException e) {
                plain.close();
                throw e;
            }
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
