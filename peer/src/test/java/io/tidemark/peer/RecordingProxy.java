package io.tidemark.peer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A proxy between nodes: forwards and records what both sides send, and may change answers. */
final class RecordingProxy implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final UnaryOperator<byte[]> answers;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** What clients sent, per connection. */
    final List<ByteArrayOutputStream> asked = new CopyOnWriteArrayList<>();

    /** What the target sent back. */
    final ByteArrayOutputStream answered = new ByteArrayOutputStream();

    /**
     * @param target port on this machine; 0 to answer nothing
     * @param answers transforms each piece of an answer
     */
    RecordingProxy(int target, UnaryOperator<byte[]> answers) throws IOException {
        this.target = target;
        this.answers = answers;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** How often clients sent this text. */
    long count(String text) {
        return asked.stream()
                .mapToLong(each ->
                        each.toString(StandardCharsets.ISO_8859_1).split(text, -1).length - 1)
                .sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                sockets.add(client);
                ByteArrayOutputStream record = new ByteArrayOutputStream();
                asked.add(record);
                if (target == 0) {
                    copy(client.getInputStream(), record, OutputStream.nullOutputStream(), b -> b);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(server);
                copy(client.getInputStream(), record, server.getOutputStream(), b -> b);
                copy(server.getInputStream(), answered, client.getOutputStream(), answers);
            }
        } catch (IOException _) {
            // The end of the test.
        }
    }

    private static void copy(
            InputStream in, OutputStream record, OutputStream out, UnaryOperator<byte[]> change) {
        Thread.ofVirtual()
                .start(() -> {
                    byte[] buffer = new byte[64 << 10];
                    try (in;
                            out) {
                        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                            byte[] piece = Arrays.copyOf(buffer, n);
                            synchronized (record) {
                                record.write(piece);
                            }
                            out.write(change.apply(piece));
                            out.flush();
                        }
                    } catch (IOException _) {
                        // One side has gone.
                    }
                });
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
