package io.tidemark.connector;

import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdKeyValue;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.source.WatchSignal;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An in-memory etcd, with history, compaction, transactions and a network that can fail. Like etcd
 * from 3.5.22 on, it sends no progress to a watch that starts above its revision.
 */
final class FakeEtcd implements EtcdSource {
    private static final Bytes PREFIX = Bytes.utf8("/k/");

    private final EtcdView.ProgressSupport trust;
    private List<List<EtcdEvent>> history = new ArrayList<>();
    private long clusterId = 1;
    private long compacted = 1;
    private boolean reachable = true;
    private boolean tellsProgress = true;
    private int lists;
    private Runnable beforeList = () -> {};

    FakeEtcd(EtcdView.ProgressSupport trust) {
        this.trust = trust;
        history.add(List.of());
    }

    synchronized long put(String... names) {
        NavigableMap<Bytes, EtcdKeyValue> now = state(revision());
        List<EtcdEvent> events = new ArrayList<>();
        long revision = revision() + 1;
        for (String name : names) {
            Bytes key = Bytes.utf8(name);
            EtcdKeyValue before = now.get(key);
            events.add(
                    new EtcdEvent.Put(
                            new EtcdKeyValue(
                                    key,
                                    Bytes.utf8("v" + revision),
                                    before == null ? revision : before.createRevision(),
                                    revision,
                                    before == null ? 1 : before.version() + 1,
                                    0)));
        }
        return append(events);
    }

    synchronized long delete(String name) {
        return append(List.of(new EtcdEvent.Delete(Bytes.utf8(name), revision() + 1)));
    }

    private long append(List<EtcdEvent> events) {
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

    /** Whether progress requests are answered. */
    synchronized void tellsProgress(boolean now) {
        tellsProgress = now;
    }

    /** Replaces this etcd by an empty one. */
    synchronized void replace(long newClusterId) {
        clusterId = newClusterId;
        compacted = 1;
        history = new ArrayList<>();
        history.add(List.of());
        notifyAll();
    }

    synchronized void beforeList(Runnable action) {
        beforeList = action;
    }

    synchronized int lists() {
        return lists;
    }

    synchronized NavigableMap<Bytes, EtcdKeyValue> state(long atRevision) {
        NavigableMap<Bytes, EtcdKeyValue> state = new TreeMap<>();
        for (int i = 0; i < atRevision; i++) {
            for (EtcdEvent event : history.get(i)) {
                switch (event) {
                    case EtcdEvent.Put(EtcdKeyValue kv) -> state.put(kv.key(), kv);
                    case EtcdEvent.Delete(Bytes key, _) -> state.remove(key);
                }
            }
        }
        return state;
    }

    private void requireReachable() throws EtcdException {
        if (!reachable) {
            throw new EtcdException.Unavailable("etcd is unreachable");
        }
    }

    @Override
    public synchronized EtcdView view() throws EtcdException {
        requireReachable();
        return new EtcdView(clusterId, revision(), "fake", trust);
    }

    @Override
    public synchronized Newest newest() throws EtcdException {
        requireReachable();
        return new Newest(clusterId, revision());
    }

    @Override
    public synchronized long oldestRevision() throws EtcdException {
        requireReachable();
        return compacted;
    }

    @Override
    public Page list(Bytes from, long revision, int limit) throws EtcdException {
        Runnable before;
        synchronized (this) {
            before = beforeList;
        }
        before.run();
        synchronized (this) {
            lists++;
            requireReachable();
            if (revision < compacted) {
                throw new EtcdException.Compacted("compacted");
            }
            List<EtcdKeyValue> all =
                    state(revision).tailMap(from, true).values().stream()
                            .filter(kv -> kv.key().startsWith(PREFIX))
                            .toList();
            int count = Math.min(all.size(), Math.min(limit, 3));
            return new Page(all.subList(0, count), all.size() - count);
        }
    }

    @Override
    public synchronized Watch watch(long from) throws EtcdException {
        requireReachable();
        return new FakeWatch(from, clusterId, history);
    }

    @Override
    public void close() {}

    /** Larger revisions come in parts of this many changes. */
    private static final int PART = 3;

    private final class FakeWatch implements Watch {
        private final long cluster;
        private final List<List<EtcdEvent>> watched;
        private final long start;
        private long next;
        private boolean opened;
        private boolean asked;

        /** Delivered changes of the next revision. */
        private int delivered;

        FakeWatch(long from, long cluster, List<List<EtcdEvent>> watched) {
            this.start = from;
            this.next = from;
            this.cluster = cluster;
            this.watched = watched;
        }

        @Override
        public Optional<WatchSignal> next(Duration timeout) throws InterruptedException {
            synchronized (FakeEtcd.this) {
                Optional<WatchSignal> signal = poll();
                if (signal.isEmpty() && !timeout.isZero()) {
                    FakeEtcd.this.wait(Math.max(1, timeout.toMillis()));
                    signal = poll();
                }
                return signal;
            }
        }

        private Optional<WatchSignal> poll() {
            if (!reachable || watched != history) {
                return Optional.of(new WatchSignal.Broken("etcd closed the stream"));
            }
            if (!opened) {
                opened = true;
                return Optional.of(new WatchSignal.Opened(cluster));
            }
            if (next < compacted) {
                return Optional.of(new WatchSignal.Compacted(compacted));
            }
            while (next <= revision()) {
                List<EtcdEvent> events =
                        history.get((int) next - 1).stream()
                                .filter(event -> event.key().startsWith(PREFIX))
                                .toList();
                if (events.size() > delivered + PART) {
                    delivered += PART;
                    return Optional.of(
                            new WatchSignal.Changes(
                                    events.subList(delivered - PART, delivered), false));
                }
                next++;
                if (!events.isEmpty()) {
                    List<EtcdEvent> rest = events.subList(delivered, events.size());
                    delivered = 0;
                    return Optional.of(new WatchSignal.Changes(rest));
                }
            }
            if (asked) {
                asked = false;
                return tellsProgress && start <= revision()
                        ? Optional.of(new WatchSignal.Progress(revision()))
                        : Optional.empty();
            }
            return Optional.empty();
        }

        @Override
        public void requestProgress() {
            if (trust == EtcdView.ProgressSupport.ON_REQUEST) {
                synchronized (FakeEtcd.this) {
                    asked = true;
                    FakeEtcd.this.notifyAll();
                }
            }
        }

        @Override
        public void close() {}
    }
}
