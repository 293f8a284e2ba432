package io.tidemark.chaos.client;

import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.load.ObjectText;
import io.tidemark.simulation.model.EventType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A watcher, on a virtual thread: it stays at one node and records what it gets. When the
 * connection ends, for any reason, it resumes at another node at the last resourceVersion that it
 * saw. Only an ERROR 410 makes it relist; these are counted, justified ones separately.
 */
public final class WatchClient implements AutoCloseable {
    /** Bookmarks come every minute: a connection without one for so long is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final byte[] TYPE = "{\"type\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GONE = "\"code\":410".getBytes(StandardCharsets.US_ASCII);

    /** Events of one revision arrive closer together than this. */
    private static final long QUIET_NANOS = 500_000_000L;

    private final WatchTarget target;
    private final ObjectSpace space;
    private final NodeTable nodes;
    private final AcknowledgedWrites acknowledged;
    private final SplittableRandom random;
    private final List<WatchLog> logs = new CopyOnWriteArrayList<>();
    private final WatchExpirations expiries;
    private final AtomicInteger reconnects = new AtomicInteger();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final Thread thread;
    private volatile int assignedNode;
    private volatile int at = -1;
    private volatile @Nullable HttpExchange connection;
    private volatile boolean over;
    private volatile long cursor;
    private volatile boolean moving;
    private volatile long heardNanos = System.nanoTime();
    private volatile long connectedNanos;
    private volatile String slowest = "";
    private volatile String complaint = "";

    /**
     * @param assignedNode slot of the node that it stays at while that node lives
     * @param afterRevision where it begins
     */
    public WatchClient(
            WatchTarget target,
            ObjectSpace space,
            NodeTable nodes,
            AcknowledgedWrites acknowledged,
            RetentionHorizon horizon,
            SplittableRandom random,
            int assignedNode,
            long afterRevision) {
        this.target = target;
        this.space = space;
        this.nodes = nodes;
        this.acknowledged = acknowledged;
        expiries = new WatchExpirations(horizon);
        this.random = random;
        this.assignedNode = assignedNode;
        cursor = afterRevision;
        logs.add(new WatchLog(target.name(), target.interest(), afterRevision));
        thread = Thread.ofVirtual().name(target.name()).start(this::run);
    }

    private void run() {
        try {
            NodeTable.Address node = nodes.node(assignedNode);
            while (!over) {
                follow(node);
                if (!over) {
                    reconnects.incrementAndGet();
                    int next = assignedNode;
                    node = next == node.slot() ? nodes.pick(random, next) : nodes.node(next);
                    assignedNode = node.slot();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(NodeTable.Address node) throws InterruptedException {
        String path =
                target.path()
                        + (target.path().contains("?") ? "&" : "?")
                        + "watch=true&allowWatchBookmarks=true&resourceVersion="
                        + cursor;
        try (HttpExchange exchange = new HttpExchange(node, path, SILENCE)) {
            connection = exchange;
            if (exchange.status() == 200) {
                moving = false;
                connectedNanos = System.nanoTime();
                at = node.slot();
                read(exchange);
                return;
            }
            refused(node, exchange);
        } catch (IOException e) {
            nodes.refused(node);
        } finally {
            connection = null;
            if (at >= 0) {
                logs.getLast().ended(cursor);
            }
            at = -1;
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    }

    private void refused(NodeTable.Address node, HttpExchange exchange) throws IOException {
        if (exchange.status() == 410) {
            byte[] body = exchange.body();
            unexpectedExpirations(node.slot(), body, body.length);
        } else if (exchange.status() == 503 || exchange.status() == 429) {
            nodes.refused(node);
        } else {
            complaint =
                    "%d: %s"
                            .formatted(
                                    exchange.status(),
                                    new String(exchange.body(), StandardCharsets.UTF_8));
        }
    }

    private void read(HttpExchange exchange) throws IOException {
        LineBuffer line = new LineBuffer();
        while (!over && exchange.nextLine(line)) {
            long now = System.nanoTime();
            if (isOver(line) || !take(line.array(), line.length(), now)) {
                return;
            }
            heardNanos = now;
        }
    }

    /**
     * Whether it should leave this node now: another revision begins, so the last one was whole.
     * Leaving inside a revision would lose the rest of it.
     */
    private boolean isOver(LineBuffer line) {
        return moving && ObjectText.revision(line.array(), 0, line.length()) > cursor;
    }

    /** False when that ends the watch. */
    private boolean take(byte[] line, int length, long now) {
        String type = ObjectText.text(line, 0, length, TYPE);
        WatchLog log = logs.getLast();
        switch (type) {
            case "BOOKMARK" -> {
                long revision = ObjectText.revision(line, 0, length);
                log.bookmark(revision);
                cursor = Math.max(cursor, revision);
            }
            case "ADDED", "MODIFIED", "DELETED" -> {
                ObjectText.ParsedObject seen =
                        ObjectText.read(space, line, TYPE.length, length - 1);
                log.event(EventType.valueOf(type), seen.index(), seen.revision(), seen.hash());
                cursor = seen.revision();
                events.incrementAndGet();
                took(acknowledged.since(seen.revision(), now), seen.revision());
            }
            default -> {
                if (ObjectText.find(line, 0, length, GONE) >= 0) {
                    unexpectedExpirations(at, line, length);
                } else {
                    complaint = new String(line, 0, length, StandardCharsets.UTF_8);
                }
                return false;
            }
        }
        return true;
    }

    private void took(long nanos, long revision) {
        if (nanos > longest.get()) {
            slowest =
                    "%s at slot %d, connected %d ms, got revision %d after %d ms"
                            .formatted(
                                    target.path(),
                                    at,
                                    (System.nanoTime() - connectedNanos) / 1_000_000,
                                    revision,
                                    nanos / 1_000_000);
            longest.set(nanos);
        }
    }

    /** Begins again at the newest revision: it loses the history between. */
    private void unexpectedExpirations(int slot, byte[] text, int length) {
        if (!expiries.add(slot, cursor, text, length)) {
            logs.getLast().expired();
        }
        cursor = acknowledged.newest();
        logs.add(new WatchLog(target.name(), target.interest(), cursor));
    }

    public String name() {
        return target.name();
    }

    /** One for each relist, and one more. */
    public List<WatchLog> logs() {
        return logs;
    }

    /** The slot of the node that it is connected to; -1 for none. */
    public int at() {
        return at;
    }

    /** The newest revision that it has seen. */
    public long cursor() {
        return cursor;
    }

    /** 410s although the history should have reached back so far. */
    public int unexpectedExpirations() {
        return expiries.wrong();
    }

    /** Justified 410s. */
    public int expectedExpirations() {
        return expiries.right();
    }

    /** The node's message with the last 410; empty when there was none. */
    public String lastExpiration() {
        return expiries.last();
    }

    public int reconnects() {
        return reconnects.get();
    }

    public long events() {
        return events.get();
    }

    /** A node's unexpected message; empty when there was none. */
    public String complaint() {
        return complaint;
    }

    /** The event with the longest delay. */
    public String slowest() {
        return slowest;
    }

    /** The longest delay from a write to its arrival here since the last call, in nanoseconds. */
    public long takeLongest() {
        return longest.getAndSet(0);
    }

    /**
     * Moves to another node between two revisions, as a client does on request; no effect when it
     * is there.
     */
    public void moveTo(int slot) {
        assignedNode = slot;
        HttpExchange open = connection;
        if (open != null && at != slot) {
            moving = true;
            if (System.nanoTime() - heardNanos > QUIET_NANOS) {
                open.close();
            }
        }
    }

    /** Whether it is connected to its assigned node. */
    public boolean isOnAssignedNode() {
        return at == assignedNode;
    }

    /** Stops it, and waits for its end. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        HttpExchange open = connection;
        if (open != null) {
            open.close();
        }
        thread.interrupt();
        thread.join();
    }
}
