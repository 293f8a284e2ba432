package io.tidemark.harness;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** Every state that an etcd ever had below a prefix, built from a watch of it. */
public final class EtcdModel implements AutoCloseable {
    private static final Duration LOOK_UP = Duration.ofMillis(50);

    /** By key: its values, by the revision of each; empty when deleted. */
    private final Map<String, NavigableMap<Long, Optional<String>>> values = new TreeMap<>();

    private final EtcdClient etcd;
    private final Bytes prefix;
    private final Thread reader;
    private EtcdWatch watch;
    private long through;
    private volatile boolean over;

    private EtcdModel(EtcdClient etcd, Bytes prefix) {
        this.etcd = etcd;
        this.prefix = prefix;
        watch = etcd.watch(WatchRequest.prefix(prefix, 1));
        reader = Thread.ofPlatform().name("etcd-model").unstarted(this::read);
    }

    /** From the first revision on: it must not be compacted. */
    public static EtcdModel of(EtcdClient etcd, String prefix) {
        EtcdModel model = new EtcdModel(etcd, Bytes.utf8(prefix));
        model.reader.start();
        return model;
    }

    private void read() {
        try {
            while (!over) {
                switch (watch.next(LOOK_UP).orElse(null)) {
                    case WatchEvent.Changes changes -> add(changes);
                    case WatchEvent.End _ -> watchAgain();
                    case null, default -> {}
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** A connection may break while the machine is busy. */
    private void watchAgain() {
        watch.close();
        watch = etcd.watch(WatchRequest.prefix(prefix, through() + 1));
    }

    private synchronized void add(WatchEvent.Changes changes) {
        for (KeyChange change : changes.changes()) {
            Optional<String> value =
                    switch (change) {
                        case KeyChange.Put put -> Optional.of(put.now().value().utf8());
                        case KeyChange.Delete _ -> Optional.empty();
                    };
            values.computeIfAbsent(change.key().utf8(), _ -> new TreeMap<>())
                    .put(change.revision(), value);
        }
        through = changes.throughRevision();
    }

    private synchronized long through() {
        return through;
    }

    /** Waits until everything through a written revision is known. */
    public EtcdModel awaiting(long revision) {
        if (through() < revision) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> through() >= revision);
        }
        return this;
    }

    /** Keys with their mod revisions, as of a known revision. */
    public synchronized Map<String, Long> keysAt(long revision) {
        Map<String, Long> keys = new TreeMap<>();
        values.forEach((key, versions) -> {
            Map.Entry<Long, Optional<String>> version = versions.floorEntry(revision);
            if (version != null && version.getValue().isPresent()) {
                keys.put(key, version.getKey());
            }
        });
        return keys;
    }

    /** A key's value, as of the revision of its put. */
    public synchronized String valueOf(String key, long modRevision) {
        return values.get(key).get(modRevision).orElseThrow();
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        reader.join();
        watch.close();
    }
}
