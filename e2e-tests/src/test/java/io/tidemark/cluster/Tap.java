package io.tidemark.cluster;

import io.tidemark.http.testing.TcpProxy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records what passes between members of a group; answers can be replaced by recorded ones. */
final class Tap implements TcpProxy.Tap {
    /** Enough for every path of the protocol, and bounded. */
    private static final int MAX_BYTES = 32 << 20;

    private final Map<Object, ByteArrayOutputStream> sent = new ConcurrentHashMap<>();
    private final List<byte[]> answers = new ArrayList<>();
    private long bytes;
    private boolean replaying;
    private int next;

    @Override
    public byte[] sent(Object connection, byte[] piece) {
        ByteArrayOutputStream all =
                sent.computeIfAbsent(connection, _ -> new ByteArrayOutputStream());
        synchronized (all) {
            if (all.size() < MAX_BYTES) {
                all.writeBytes(piece);
            }
        }
        return piece;
    }

    @Override
    public synchronized byte[] answered(byte[] piece) {
        if (replaying) {
            return answers.get(next++ % answers.size());
        }
        if (bytes < MAX_BYTES) {
            bytes += piece.length;
            answers.add(piece.clone());
        }
        return piece;
    }

    /** From now on each piece of an answer is replaced by a recorded one, or no more. */
    synchronized void replay(boolean now) {
        replaying = now;
    }

    /** How many pieces of answers were replaced. */
    synchronized int replayed() {
        return next;
    }

    /** What callers sent, a text for each connection. */
    List<String> requests() {
        return sent.values().stream()
                .map(all -> {
                    synchronized (all) {
                        return all.toString(StandardCharsets.ISO_8859_1);
                    }
                })
                .toList();
    }

    /** All recorded answers. */
    synchronized String answers() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        answers.forEach(all::writeBytes);
        return all.toString(StandardCharsets.ISO_8859_1);
    }
}
