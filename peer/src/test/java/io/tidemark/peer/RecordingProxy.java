package io.tidemark.peer;

import io.tidemark.http.testing.TcpProxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A proxy between nodes that records what both sides send, and may change answers. */
final class RecordingProxy implements TcpProxy.Tap, AutoCloseable {
    private final Map<Object, ByteArrayOutputStream> sent = new ConcurrentHashMap<>();
    private final UnaryOperator<byte[]> answers;
    private final TcpProxy proxy;

    /** Answers nothing. */
    private final ServerSocket silence = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    /** What the target sent back. */
    final ByteArrayOutputStream answered = new ByteArrayOutputStream();

    /**
     * @param target port on this machine; 0 to answer nothing
     * @param answers transforms each piece of an answer
     */
    RecordingProxy(int target, UnaryOperator<byte[]> answers) throws IOException {
        this.answers = answers;
        int port = target == 0 ? silence.getLocalPort() : target;
        proxy = new TcpProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), this);
    }

    int port() {
        return proxy.port();
    }

    /** What callers sent, a text for each connection. */
    List<String> asked() {
        return sent.values().stream()
                .map(each -> each.toString(StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** How often callers sent this text. */
    long count(String text) {
        return asked().stream().mapToLong(each -> each.split(text, -1).length - 1).sum();
    }

    @Override
    public byte[] sent(Object connection, byte[] piece) {
        sent.computeIfAbsent(connection, _ -> new ByteArrayOutputStream()).writeBytes(piece);
        return piece;
    }

    @Override
    public byte[] answered(byte[] piece) {
        answered.writeBytes(piece);
        return answers.apply(piece);
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        silence.close();
    }
}
