package io.tidemark.simulation.etcd;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An etcd as its clients see it: one revision per transaction, for any number of keys; leases that
 * delete all their keys in one revision; compaction; watch streams that lag and break; a restore
 * from a backup, which is another cluster. The reference model records every commit.
 */
public final class FakeEtcd {
    /** More changes than fit a simulated page, mailbox and window. */
    private static final int BIG = 40;

    private final Scheduler scheduler;
    private final ReferenceModel oracle;

    /** etcd's own memory: every key, mirrored or not. */
    private final ReferenceModel stored = new ReferenceModel(_ -> true);

    private final Map<Long, Set<Bytes>> leases = new LinkedHashMap<>();
    private final List<FakeWatchStream> streams = new ArrayList<>();
    private final List<FakeWatchStream> silent = new ArrayList<>();
    private long nextLease = 0x1000;
    private long compactedRevision = 1;
    private long clusterId = 0xc0ffee;
    private boolean reachable = true;
    private boolean slow;
    private boolean notifiesProgressBelowStart = true;

    /** The newest range, which its next page reads again: a past state never changes. */
    private @Nullable StateRead lastRead;

    private record StateRead(
            EpochHistory history, Bytes prefix, long revision, NavigableMap<Bytes, Version> state) {
        boolean isOf(EpochHistory read, Bytes readPrefix, long atRevision) {
            return history == read && revision == atRevision && prefix.equals(readPrefix);
        }
    }

    public FakeEtcd(Scheduler scheduler, ReferenceModel oracle) {
        this.scheduler = scheduler;
        this.oracle = oracle;
    }

    /** etcd does not answer: the caller may try again later. */
    public static final class Unreachable extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The revision is above etcd's. */
    public static final class FutureRevision extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The revision is compacted. */
    public static final class Compacted extends Exception {
        private static final long serialVersionUID = 1L;
        private final long compactedRevision;

        Compacted(long compactedRevision) {
            this.compactedRevision = compactedRevision;
        }

        public long compactedRevision() {
            return compactedRevision;
        }
    }

    /**
     * A page of a range.
     *
     * @param remaining number of keys that follow
     */
    public record Range(List<Version> versions, long remaining) {}

    public long revision() {
        return history().revision();
    }

    public long clusterId() {
        return clusterId;
    }

    public long compactedRevision() {
        return compactedRevision;
    }

    /** Number of its current history, from 1; each restore begins another. */
    public long historyNumber() {
        return oracle.current().epoch();
    }

    public EpochHistory history() {
        return stored.current();
    }

    public long put(Bytes key, Payload payload) {
        Map<Bytes, @Nullable Payload> writes = new LinkedHashMap<>();
        writes.put(key, payload);
        return transact(writes, 0);
    }

    public long delete(Bytes key) {
        Map<Bytes, @Nullable Payload> writes = new LinkedHashMap<>();
        writes.put(key, null);
        return transact(writes, 0);
    }

    public long grantLease() {
        leases.put(nextLease, new LinkedHashSet<>());
        return nextLease++;
    }

    /** Deletes all keys of the lease, in one revision, in key order. */
    public long expireLease(long lease) {
        Map<Bytes, @Nullable Payload> writes = new TreeMap<>();
        for (Bytes key : leases.remove(lease)) {
            writes.put(key, null);
        }
        if (writes.size() > 1) {
            scheduler.count(CoverageEvent.LEASES_ENDED);
        }
        return transact(writes, 0);
    }

    public List<Long> leases() {
        return List.copyOf(leases.keySet());
    }

    /**
     * Commits all writes as one revision; null deletes, and deleting a missing key has no effect.
     *
     * @param lease of the puts, 0 for none
     * @return the newest revision
     */
    public long transact(Map<Bytes, @Nullable Payload> writes, long lease) {
        Map<Bytes, @Nullable Payload> effective = new LinkedHashMap<>(writes);
        effective
                .entrySet()
                .removeIf(write ->
                        write.getValue() == null
                                && history().versionAt(write.getKey(), revision()).isEmpty());
        if (effective.isEmpty()) {
            return revision();
        }
        scheduler.count(CoverageEvent.WRITES);
        if (effective.size() > 1) {
            scheduler.count(CoverageEvent.WRITES_OF_SEVERAL_KEYS);
        }
        if (effective.values().stream().anyMatch(value -> value != null && value.secret())) {
            scheduler.count(CoverageEvent.SECRETS_WRITTEN);
        }
        if (effective.size() > BIG) {
            scheduler.count(CoverageEvent.BIG_REVISIONS);
        }
        leases.values().forEach(keys -> keys.removeAll(effective.keySet()));
        if (lease != 0) {
            effective.forEach((key, payload) -> {
                if (payload != null) {
                    leases.get(lease).add(key);
                }
            });
        }
        long revision = stored.commit(effective, lease, scheduler.nowMillis());
        long modelRevision = oracle.commit(effective, lease, scheduler.nowMillis());
        if (revision != modelRevision) {
            throw new IllegalStateException(
                    "etcd at %d, model at %d".formatted(revision, modelRevision));
        }
        streams.forEach(FakeWatchStream::wake);
        return revision;
    }

    /** The keys of a prefix, in order. */
    public List<Bytes> keys(Bytes prefix) {
        ModelFilter all = new ModelFilter(prefix, false, Map.of());
        return List.copyOf(history().stateAt(all, revision()).keySet());
    }

    /** Compacts versions that were superseded before {@code revision}. */
    public void compact(long revision) {
        if (revision > compactedRevision && revision <= revision()) {
            compactedRevision = revision;
            scheduler.count(CoverageEvent.ETCD_COMPACTED);
            streams.forEach(FakeWatchStream::wake);
        }
    }

    /**
     * Restores a backup of {@code throughRevision}, as another cluster; all streams end. History
     * before the backup is lost.
     *
     * @param bump how many revisions it skips, as an operator may request
     */
    public void restore(long throughRevision, long bump) {
        clusterId++;
        begin(throughRevision, bump);
        compactedRevision = revision();
    }

    /**
     * Its disk is set back to {@code throughRevision}: it is the same cluster, and does not know
     * what it has lost.
     */
    public void setBack(long throughRevision) {
        begin(throughRevision, 0);
        compactedRevision = Math.min(compactedRevision, revision());
    }

    /** Restarts empty, as another cluster. */
    public void wipe() {
        restore(1, 0);
    }

    private void begin(long throughRevision, long bump) {
        stored.restore(throughRevision, bump);
        oracle.restore(throughRevision, bump);
        leases.clear();
        breakStreams();
    }

    /** Watch streams deliver late from now on, or no longer do. */
    public void slow(boolean now) {
        slow = now;
    }

    public boolean isSlow() {
        return slow;
    }

    /**
     * Whether a watch that starts above etcd's revision gets progress, as up to 3.4.37, 3.5.21 and
     * 3.6.1; later versions send it none.
     */
    public void notifiesProgressBelowStart(boolean now) {
        notifiesProgressBelowStart = now;
    }

    public boolean notifiesProgressBelowStart() {
        return notifiesProgressBelowStart;
    }

    /** Cuts etcd off, or ends the cut. Streams then break. */
    public void reachable(boolean now) {
        reachable = now;
        if (!now) {
            breakStreams();
        }
    }

    public boolean isReachable() {
        return reachable;
    }

    /** Every watch stream falls silent: its reader has to find out. */
    public void silenceStreams() {
        scheduler.census().count(CoverageEvent.WATCH_STREAMS_SILENT, streams.size());
        streams.forEach(FakeWatchStream::silence);
        silent.addAll(streams);
        streams.clear();
    }

    /** Whether a reader still waits for a stream that has fallen silent. */
    public boolean hasSilentStream() {
        return !silent.isEmpty();
    }

    /** Every watch stream breaks. */
    public void breakStreams() {
        scheduler.census().count(CoverageEvent.WATCH_STREAMS_BROKEN, streams.size());
        List<FakeWatchStream> open = List.copyOf(streams);
        streams.clear();
        open.forEach(stream -> stream.lose("the stream broke"));
    }

    /** A linearizable read of the newest revision. */
    public long currentRevision() throws Unreachable {
        requireReachable();
        return revision();
    }

    /** A page of a prefix at a revision, in key order; a future revision is refused. */
    public Range range(Bytes prefix, Bytes fromKeyInclusive, int limit, long atRevision)
            throws Unreachable, FutureRevision, Compacted {
        requireReachable();
        if (atRevision < compactedRevision) {
            scheduler.count(CoverageEvent.LISTS_COMPACTED);
            throw new Compacted(compactedRevision);
        }
        if (atRevision > revision()) {
            throw new FutureRevision();
        }
        List<Version> from =
                List.copyOf(stateAt(prefix, atRevision).tailMap(fromKeyInclusive, true).values());
        int count = Math.min(limit, from.size());
        return new Range(from.subList(0, count), from.size() - count);
    }

    private NavigableMap<Bytes, Version> stateAt(Bytes prefix, long atRevision) {
        StateRead read = lastRead;
        if (read == null || !read.isOf(history(), prefix, atRevision)) {
            ModelFilter all = new ModelFilter(prefix, false, Map.of());
            read = new StateRead(history(), prefix, atRevision, history().stateAt(all, atRevision));
            lastRead = read;
        }
        return read.state();
    }

    /** Opens a stream. */
    public FakeWatchStream watch(
            Bytes prefix, long fromRevisionInclusive, FakeWatchStream.Listener listener)
            throws Unreachable {
        requireReachable();
        FakeWatchStream stream =
                new FakeWatchStream(scheduler, this, prefix, fromRevisionInclusive, listener);
        streams.add(stream);
        stream.open();
        return stream;
    }

    public void closed(FakeWatchStream stream) {
        streams.remove(stream);
        silent.remove(stream);
    }

    public List<RevisionChange> facts(long afterRevision, long throughRevision) {
        return history().facts(afterRevision, throughRevision);
    }

    private void requireReachable() throws Unreachable {
        if (!reachable) {
            throw new Unreachable();
        }
    }
}
