package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTally;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes digests of what etcd holds, for the nodes' self-checks: at the newest revision that the
 * feed has marked, from pages of keys without values, by partition and directory group. It works
 * only on request, at most once per interval, and less often when that would keep etcd busy for
 * more than a hundredth of the time. A scan that fails counts as much as one that succeeds.
 *
 * <p>Digests are published only when etcd is the same cluster and the feed writes the same history
 * before and after the scan; when the revision is compacted meanwhile, there are none.
 */
public final class EtcdDigests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdDigests.class);
    private static final int SHARE = 100;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final HistoryValidator history;
    private final MirroredKeys keys;
    private final GroupKeyReader groupKeys;
    private final Bytes prefix;
    private final Duration configured;
    private final IntSupplier topicPartitions;
    private final InstantSource clock;
    private final ScanRuntime runtime;
    private @Nullable Thread thread;

    /** How long the newest scan kept etcd busy, even if it failed; for the thread that scans. */
    private Duration busy = Duration.ZERO;

    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition asked = lock.newCondition();
    private int wantedPartitions;
    private @Nullable Digests newest;
    private String unavailableReason = "the first digests are being computed";
    private Duration interval;
    private Duration cost = Duration.ZERO;

    /**
     * @param prefix the mirrored prefix
     * @param interval from one scan of etcd to the next, above zero
     * @param history the history that the feed writes; null while it writes none
     * @param topicPartitions partition count of the mirror topic; digests are made for it alone
     */
    public EtcdDigests(
            EtcdSource source,
            MirroredKeys keys,
            Bytes prefix,
            Duration interval,
            Supplier<ResumePoint.@Nullable At> history,
            IntSupplier topicPartitions,
            InstantSource clock,
            ScanRuntime runtime) {
        this.runtime = runtime;
        this.topicPartitions = topicPartitions;
        this.history = new HistoryValidator(source, history);
        this.keys = keys;
        this.groupKeys = new GroupKeyReader(this.history, keys, prefix, topicPartitions, runtime);
        this.prefix = prefix;
        this.configured = interval;
        this.interval = interval;
        this.clock = clock;
    }

    /** Takes digests in the background; once. */
    public void start() {
        thread =
                Thread.ofPlatform()
                        .name("tidemark-digests")
                        .daemon()
                        .priority(Thread.MIN_PRIORITY)
                        .start(this::run);
    }

    /**
     * The newest digests; also requests newer ones once these are old.
     *
     * @throws DigestsUnavailableException when there are none of the current history, or for
     *     another number of partitions than the topic has
     */
    public Digests newest(int partitions) throws DigestsUnavailableException {
        ResumePoint.@Nullable At now = history.now();
        if (now == null) {
            throw new DigestsUnavailableException(HistoryValidator.NOT_FOLLOWING);
        }
        int real = topicPartitions.getAsInt();
        if (partitions != real) {
            throw new DigestsUnavailableException("the topic has %d partitions".formatted(real));
        }
        lock.lock();
        try {
            wantedPartitions = partitions;
            asked.signal();
            Digests found = newest;
            if (found == null || found.partitions() != partitions || found.epoch() != now.epoch()) {
                throw new DigestsUnavailableException(unavailableReason);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Reads single keys, where digests differ. */
    public GroupKeyReader keys() {
        return groupKeys;
    }

    /** Revision, time and cost of the newest digests. */
    public record DigestStatus(long revision, long takenMillis, Duration interval, Duration cost) {}

    /** As before the first digests while the feed writes no history: another connector may. */
    public DigestStatus standing() {
        if (history.now() == null) {
            return new DigestStatus(0, 0, configured, Duration.ZERO);
        }
        lock.lock();
        try {
            Digests found = newest;
            return new DigestStatus(
                    found == null ? 0 : found.revision(),
                    found == null ? 0 : found.takenMillis(),
                    interval,
                    cost);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The number of keys in etcd by directory group, as of the newest digests; empty before the
     * first, and while the feed writes no history.
     */
    public Map<Bytes, Long> keyCounts() {
        Map<Bytes, Long> counts = new HashMap<>();
        if (history.now() == null) {
            return counts;
        }
        lock.lock();
        try {
            Digests found = newest;
            if (found != null) {
                found.table()
                        .digests()
                        .forEach((slot, sum) -> counts.merge(slot.group(), sum.keys(), Long::sum));
            }
            return counts;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (true) {
                awaitAsked();
                runtime.pause(step());
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    /**
     * Takes digests, if they were requested since the last time.
     *
     * @return when to do so again: soon after a failure, unless etcd was busy with it for long;
     *     otherwise a little earlier than due, so that new digests are ready in time
     */
    public Duration step() throws InterruptedException {
        int partitions = takeRequest();
        boolean taken = false;
        busy = Duration.ZERO;
        try {
            taken = partitions > 0 && take(partitions);
        } catch (EtcdException e) {
            unavailable("etcd: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("taking digests of etcd failed", e);
            unavailable(e.toString());
        }
        Duration tenth = interval().dividedBy(10);
        return taken ? tenth.multipliedBy(9) : longer(tenth, paced());
    }

    /** From the newest scan of etcd to the next, so that etcd is busy for its share of the time. */
    private Duration paced() {
        return busy.multipliedBy(SHARE);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void awaitAsked() throws InterruptedException {
        lock.lock();
        try {
            while (wantedPartitions == 0) {
                asked.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of partitions; 0 for no request. */
    private int takeRequest() {
        lock.lock();
        try {
            int partitions = wantedPartitions;
            wantedPartitions = 0;
            return partitions;
        } finally {
            lock.unlock();
        }
    }

    private Duration interval() {
        lock.lock();
        try {
            return interval;
        } finally {
            lock.unlock();
        }
    }

    private void unavailable(String why) {
        lock.lock();
        try {
            unavailableReason = why;
        } finally {
            lock.unlock();
        }
        LOG.info("could not compute digests of etcd: {}", why);
    }

    private boolean take(int partitions) throws InterruptedException {
        ResumePoint.@Nullable At before = history.now();
        Optional<String> mismatch = history.mismatchReason(before);
        if (before == null || mismatch.isPresent()) {
            unavailable(mismatch.orElse(HistoryValidator.NOT_FOLLOWING));
            return false;
        }
        DigestTally tally =
                new DigestTally(new DirectoryGroups(prefix), true, DigestTable.MAX_SLOTS);
        PartitionAssigner assigner = new PartitionAssigner(partitions);
        PacedKeyScan pages = new PacedKeyScan(history.source(), keys, before.revision(), runtime);
        try {
            pages.read(
                    prefix,
                    key -> {
                        tally.add(assigner.partitionOf(key.key()), key);
                        return true;
                    });
        } finally {
            busy = pages.busy();
        }
        ResumePoint.@Nullable At after = history.now();
        Optional<String> changed = history.mismatchReason(after);
        if (after == null || changed.isPresent() || !HistoryValidator.isSame(before, after)) {
            unavailable(changed.orElse("the history changed during the scan"));
            return false;
        }
        Duration next = longer(paced(), configured);
        publish(
                new Digests(
                        before.epoch(),
                        before.revision(),
                        partitions,
                        prefix,
                        tally.table(),
                        clock.millis(),
                        next.toMillis()),
                next);
        return true;
    }

    private void publish(Digests taken, Duration now) {
        Duration before;
        lock.lock();
        try {
            newest = taken;
            unavailableReason =
                    "digests for another number of partitions or history are being taken";
            before = interval;
            interval = now;
            cost = busy;
        } finally {
            lock.unlock();
        }
        if (now.compareTo(before.plus(before)) > 0 || before.compareTo(now.plus(now)) > 0) {
            LOG.info(
                    "digests of {} keys kept etcd busy for {} ms: next digests in {} s"
                            + " ({} s configured)",
                    taken.table().keys(),
                    busy.toMillis(),
                    now.toSeconds(),
                    configured.toSeconds());
        }
        LOG.debug("digests of {} keys at {}", taken.table().keys(), taken.revision());
    }

    @Override
    public void close() {
        Thread ending = thread;
        if (ending == null) {
            return;
        }
        ending.interrupt();
        try {
            boolean _ = !ending.isAlive() || ending.join(CLOSE_TIMEOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
