package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of one partition and group from etcd, for a node whose digest of them differs, to
 * name the keys that differ. Each call reads one page and keeps no state afterwards, so a node that
 * reads its answer slowly delays no other.
 */
public final class GroupKeyReader {
    /**
     * How long to queue behind earlier calls; each takes one page of etcd and the pause after it.
     */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final int MAX_WAITING = 32;

    /** Limit of the keys' bytes in one page; one key alone may exceed it. */
    private static final int MAX_BYTES = 1 << 20;

    private final ScanRuntime runtime;
    private final HistoryValidator history;
    private final MirroredKeys keys;
    private final Bytes prefix;
    private final IntSupplier topicPartitions;

    /** One scan at a time, in the order of the calls. */
    private final Semaphore reading = new Semaphore(1, true);

    /** No page is read before this nanoTime; guarded by {@code reading}. */
    private long restUntilNanos;

    GroupKeyReader(
            HistoryValidator history,
            MirroredKeys keys,
            Bytes prefix,
            IntSupplier topicPartitions,
            ScanRuntime runtime) {
        this.runtime = runtime;
        this.restUntilNanos = runtime.nanoTime();
        this.history = history;
        this.keys = keys;
        this.prefix = prefix;
        this.topicPartitions = topicPartitions;
    }

    /**
     * A page of keys of one partition and group.
     *
     * @param byGroup whether {@code group} is one of several, or covers all keys
     * @param from where the page begins; empty for the first one
     */
    public record KeyPageRequest(
            long epoch,
            long revision,
            int partitions,
            int partition,
            boolean byGroup,
            Bytes group,
            Bytes from) {}

    /**
     * Some of the keys, in order.
     *
     * @param next where the next page begins; empty after the last
     */
    public record KeyPage(List<KeyRevision> keys, Optional<Bytes> next) {}

    /**
     * Reads a page from etcd. Calls queue, for at most 5 s.
     *
     * @throws DigestsUnavailableException when it cannot be read now, or no longer
     */
    public KeyPage read(KeyPageRequest request)
            throws DigestsUnavailableException, InterruptedException {
        if (request.partitions() != topicPartitions.getAsInt()) {
            throw new DigestsUnavailableException("the topic has another number of partitions");
        }
        if (reading.getQueueLength() >= MAX_WAITING
                || !reading.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new DigestsUnavailableException("the keys of other groups are being read");
        }
        try {
            rest();
            requireHistory(request);
            KeyPage page = readPage(request);
            requireHistory(request);
            return page;
        } catch (EtcdException e) {
            throw new DigestsUnavailableException("etcd: " + e.getMessage());
        } finally {
            reading.release();
        }
    }

    /** Paces the reads, as {@link PacedKeyScan} does between the pages of a scan. */
    private void rest() throws InterruptedException {
        long left = restUntilNanos - runtime.nanoTime();
        if (left > 0) {
            runtime.pause(Duration.ofNanos(left));
        }
    }

    private KeyPage readPage(KeyPageRequest request) {
        boolean startsAtGroup = request.byGroup() && request.group().compareTo(prefix) > 0;
        Bytes first = startsAtGroup ? request.group() : prefix;
        Bytes from = request.from().compareTo(first) > 0 ? request.from() : first;
        long began = runtime.nanoTime();
        RangePage page =
                new PacedKeyScan(history.source(), keys, request.revision(), runtime).page(from);
        restUntilNanos = runtime.nanoTime() + PacedKeyScan.restNanos(runtime.nanoTime() - began);
        return select(request, page);
    }

    private KeyPage select(KeyPageRequest request, RangePage page) {
        DirectoryGroups groups = new DirectoryGroups(prefix);
        PartitionAssigner assigner = new PartitionAssigner(request.partitions());
        List<KeyRevision> found = new ArrayList<>();
        long bytes = 0;
        for (KeyValue each : page.keyValues()) {
            Bytes key = each.key();
            boolean in = !request.byGroup() || groups.isOf(key, request.group());
            if (!in && !key.startsWith(request.group())) {
                return new KeyPage(found, Optional.empty());
            }
            if (in && keys.isStored(key) && assigner.partitionOf(key) == request.partition()) {
                found.add(new KeyRevision(key, each.modRevision()));
                bytes += key.length();
                if (bytes >= MAX_BYTES) {
                    return new KeyPage(found, Optional.of(key.successor()));
                }
            }
        }
        return new KeyPage(
                found,
                page.more()
                        ? Optional.of(page.keyValues().getLast().key().successor())
                        : Optional.empty());
    }

    private void requireHistory(KeyPageRequest request) throws DigestsUnavailableException {
        ResumePoint.@Nullable At now = history.now();
        if (now == null || now.epoch() != request.epoch() || now.revision() < request.revision()) {
            throw new DigestsUnavailableException("the mirror's history has changed");
        }
        Optional<String> mismatchReason = history.mismatchReason(now);
        if (mismatchReason.isPresent()) {
            throw new DigestsUnavailableException(mismatchReason.get());
        }
    }
}
