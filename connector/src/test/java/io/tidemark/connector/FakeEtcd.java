package io.tidemark.connector;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory etcd, with history, compaction, transactions and a network that can fail. Like etcd
 * from 3.5.22 on, it sends no progress to a watch that starts above its revision.
 */
final class FakeEtcd implements EtcdSource {
    private static final Bytes PREFIX = Bytes.utf8("/k/");

    private volatile ProgressSupport trust = ProgressSupport.MANUAL;
    private List<List<KeyChange>> history = new ArrayList<>();
    private long clusterId = 1;
    private long compacted = 1;
    private boolean reachable = true;
    private @Nullable RuntimeException bug;
    private boolean tellsProgress = true;
    private String problem = "";
    private int lists;
    private Runnable beforeList = () -> {};

    FakeEtcd() {
        history.add(List.of());
    }

    void progressSupport(ProgressSupport support) {
        trust = support;
    }

    synchronized long put(String... names) {
        NavigableMap<Bytes, KeyValue> now = state(revision());
        List<KeyChange> events = new ArrayList<>();
        long revision = revision() + 1;
        for (String name : names) {
            Bytes key = Bytes.utf8(name);
            KeyValue before = now.get(key);
            events.add(
                    new KeyChange.Put(
                            new KeyValue(
                                    key,
                                    Bytes.utf8("v" + revision),
                                    before == null ? revision : before.createRevision(),
                                    revision,
                                    before == null ? 1 : before.version() + 1,
                                    0),
                            null));
        }
        return append(events);
    }

    /** Of a key that does not exist, only a new revision. */
    synchronized long delete(String name) {
        Bytes key = Bytes.utf8(name);
        return append(
                state(revision()).containsKey(key)
                        ? List.of(new KeyChange.Delete(key, revision() + 1, null))
                        : List.of());
    }

    private long append(List<KeyChange> events) {
        history.add(events);
        notifyAll();
        return revision();
    }

    synchronized long revision() {
        return history.size();
    }

    synchronized void compact(long revision) {
        compacted = revision;
    }

    synchronized void reachable(boolean now) {
        reachable = now;
        notifyAll();
    }

    /** From now on its calls fail as no source should. */
    synchronized void fails(RuntimeException with) {
        bug = with;
    }

    /** From now on its lists have no values, for this reason. */
    synchronized void hidesValues(String why) {
        problem = why;
    }

    /** Whether progress requests are answered. */
    synchronized void tellsProgress(boolean now) {
        tellsProgress = now;
    }

    /** Replaces this etcd by an empty one. */
    synchronized void replace(long newClusterId) {
        clusterId = newClusterId;
        compacted = 1;
        restore(1);
    }

    /** Restores a backup of {@code throughRevision}, which keeps the cluster's id. */
    synchronized void restore(long throughRevision) {
        history = new ArrayList<>(history.subList(0, (int) throughRevision));
        notifyAll();
    }

    synchronized void beforeList(Runnable action) {
        beforeList = action;
    }

    synchronized int lists() {
        return lists;
    }

    synchronized NavigableMap<Bytes, KeyValue> state(long atRevision) {
        NavigableMap<Bytes, KeyValue> state = new TreeMap<>();
        for (int i = 0; i < atRevision; i++) {
            for (KeyChange event : history.get(i)) {
                switch (event) {
                    case KeyChange.Put(KeyValue kv, _) -> state.put(kv.key(), kv);
                    case KeyChange.Delete(Bytes key, _, _) -> state.remove(key);
                }
            }
        }
        return state;
    }

    private void requireReachable() {
        if (bug != null) {
            throw bug;
        }
        if (!reachable) {
            throw new EtcdException(EtcdException.Kind.UNAVAILABLE, "etcd is unreachable", null);
        }
    }

    @Override
    public synchronized EtcdView view() {
        requireReachable();
        return new EtcdView(clusterId, revision(), "fake", trust);
    }

    @Override
    public synchronized Newest newest() {
        requireReachable();
        return new Newest(clusterId, revision());
    }

    @Override
    public synchronized long oldestRevision() {
        requireReachable();
        return compacted;
    }

    @Override
    public RangePage list(Bytes from, long revision, int limit) {
        Runnable before;
        synchronized (this) {
            before = beforeList;
        }
        before.run();
        synchronized (this) {
            lists++;
            requireReachable();
            if (revision < compacted) {
                throw new EtcdException(EtcdException.Kind.COMPACTED, "compacted", null);
            }
            List<KeyValue> all =
                    state(revision).tailMap(from, true).values().stream()
                            .filter(kv -> kv.key().startsWith(PREFIX))
                            .map(kv -> problem.isEmpty() ? kv : hidden(kv))
                            .toList();
            int count = Math.min(all.size(), Math.min(limit, 3));
            return new RangePage(
                    all.subList(0, count), count < all.size(), all.size(), revision(), clusterId);
        }
    }

    private KeyValue hidden(KeyValue kv) {
        return new KeyValue(
                kv.key(),
                Bytes.EMPTY,
                kv.createRevision(),
                kv.modRevision(),
                kv.version(),
                kv.lease(),
                problem);
    }

    @Override
    public synchronized EtcdWatch watch(long revision) {
        requireReachable();
        return new FakeWatch(Math.max(1, revision), clusterId, history);
    }

    @Override
    public void close() {}

    /** Larger revisions come in parts of this many changes. */
    private static final int PART = 3;

    private final class FakeWatch implements EtcdWatch {
        private final long cluster;
        private final List<List<KeyChange>> watched;
        private final long start;
        private long next;
        private boolean opened;
        private boolean asked;

        /** Delivered changes of the next revision. */
        private int delivered;

        FakeWatch(long from, long cluster, List<List<KeyChange>> watched) {
            this.start = from;
            this.next = from;
            this.cluster = cluster;
            this.watched = watched;
        }

        @Override
        public Optional<WatchEvent> next(Duration timeout) throws InterruptedException {
            synchronized (FakeEtcd.this) {
                Optional<WatchEvent> event = poll();
                if (event.isEmpty() && !timeout.isZero()) {
                    FakeEtcd.this.wait(Math.max(1, timeout.toMillis()));
                    event = poll();
                }
                return event;
            }
        }

        private Optional<WatchEvent> poll() {
            if (!reachable || watched != history) {
                return Optional.of(
                        new WatchEvent.Failed(
                                new EtcdException(
                                        EtcdException.Kind.UNAVAILABLE,
                                        "etcd closed the stream",
                                        null)));
            }
            if (!opened) {
                opened = true;
                return Optional.of(new WatchEvent.Created(revision(), cluster));
            }
            if (next < compacted) {
                return Optional.of(new WatchEvent.Compacted(compacted));
            }
            while (next <= revision()) {
                List<KeyChange> events =
                        history.get((int) next - 1).stream()
                                .filter(event -> event.key().startsWith(PREFIX))
                                .toList();
                if (events.size() > delivered + PART) {
                    delivered += PART;
                    return Optional.of(
                            changes(events.subList(delivered - PART, delivered), next - 1));
                }
                next++;
                if (!events.isEmpty()) {
                    List<KeyChange> rest = events.subList(delivered, events.size());
                    delivered = 0;
                    return Optional.of(changes(rest, next - 1));
                }
            }
            if (asked) {
                asked = false;
                return tellsProgress && start <= revision()
                        ? Optional.of(new WatchEvent.Progress(revision()))
                        : Optional.empty();
            }
            return Optional.empty();
        }

        private WatchEvent changes(List<KeyChange> changes, long throughRevision) {
            return new WatchEvent.Changes(changes, throughRevision, revision());
        }

        @Override
        public ProgressSupport progressSupport() {
            return trust;
        }

        @Override
        public boolean requestProgress() {
            if (trust != ProgressSupport.MANUAL) {
                return false;
            }
            synchronized (FakeEtcd.this) {
                asked = true;
                FakeEtcd.this.notifyAll();
            }
            return true;
        }

        @Override
        public void close() {}
    }
}
