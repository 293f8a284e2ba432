package io.tidemark.chaos.load;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Payload;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch of everything directly on etcd, from its first revision on: the truth in the checkers'
 * form. It resumes where it was when etcd was away.
 */
public final class EtcdOracleWatch implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(200);

    /**
     * One revision.
     *
     * @param writes in etcd's order; null for a delete
     * @param atMillis when it was seen here, no earlier than it happened
     */
    public record Revision(
            long revision, LinkedHashMap<Bytes, @Nullable Payload> writes, long atMillis) {}

    private final EtcdClient client;
    private final ConcurrentLinkedQueue<Revision> revisions = new ConcurrentLinkedQueue<>();
    private final Map<String, Map<String, String>> labels = new HashMap<>();
    private final Thread thread;
    private volatile String failure = "";
    private volatile boolean over;
    private long next = 2;

    public EtcdOracleWatch(EtcdClient client) {
        this.client = client;
        thread = Thread.ofPlatform().name("truth").daemon().unstarted(this::run);
        thread.start();
    }

    /** In order; the reader removes them. */
    public ConcurrentLinkedQueue<Revision> revisions() {
        return revisions;
    }

    /** Why the truth is no longer known; empty while it is. */
    public String failure() {
        return failure;
    }

    private void run() {
        try {
            while (!over && failure.isEmpty()) {
                try (EtcdWatch watch = client.watch(WatchRequest.prefix(Bytes.EMPTY, next))) {
                    follow(watch);
                } catch (EtcdException _) {
                    // etcd is away, as planned.
                    TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(EtcdWatch watch) throws InterruptedException {
        while (!over) {
            switch (watch.next(PATIENCE).orElse(null)) {
                case WatchEvent.Changes changes -> take(changes.changes());
                case WatchEvent.Compacted(long revision) -> {
                    failure = "etcd compacted revisions through " + revision + " at " + next;
                    return;
                }
                case WatchEvent.Failed(EtcdException cause) -> throw cause;
                case WatchEvent.Created _, WatchEvent.Progress _ -> {}
                case null -> {}
            }
        }
    }

    private void take(List<KeyChange> changes) {
        LinkedHashMap<Bytes, @Nullable Payload> writes = new LinkedHashMap<>();
        for (int i = 0; i < changes.size(); i++) {
            KeyChange change = changes.get(i);
            writes.put(
                    change.key(),
                    switch (change) {
                        case KeyChange.Put put -> payload(put.now().value().array());
                        case KeyChange.Delete _ -> null;
                    });
            if (i == changes.size() - 1 || changes.get(i + 1).revision() != change.revision()) {
                revisions.add(new Revision(change.revision(), writes, System.currentTimeMillis()));
                writes = new LinkedHashMap<>();
                next = change.revision() + 1;
            }
        }
    }

    /** Only what is compared is kept: a run writes more than fits into memory. */
    private Payload payload(byte[] value) {
        Map<String, String> label =
                labels.computeIfAbsent(
                        ObjectText.app(value, 0, value.length), app -> Map.of("app", app));
        long hash = ObjectText.hash(value, 0, value.length);
        return new Payload(Bytes.EMPTY, true, label, shown(hash));
    }

    /** The name of an object with this hash in the records. */
    public static String shown(long hash) {
        return Long.toHexString(hash);
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.join();
    }
}
