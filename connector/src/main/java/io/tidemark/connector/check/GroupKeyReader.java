package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdKeyValue;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
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
 * Reads the keys of one partition and group from etcd, for a node whose sum of them is another one:
 * to name those that differ. Each call reads one page and holds nothing afterwards, so a node that
 * reads its answer slowly keeps no other one waiting.
 */
public final class GroupKeyReader {
    /** For the calls before this one; each takes one page of etcd and the rest after it. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final int MAX_WAITING = 32;

    /** Of keys in one page; one key alone may be longer. */
    private static final int MAX_BYTES = 1 << 20;

    private final HistoryValidator history;
    private final MirroredKeys keys;
    private final Bytes prefix;
    private final IntSupplier topicPartitions;

    /** One reading at a time, in the order of the calls. */
    private final Semaphore reading = new Semaphore(1, true);

    /** No page is read before, as of System.nanoTime; changed by who has the permit. */
    private long restUntilNanos = System.nanoTime();

    GroupKeyReader(
            HistoryValidator history,
            MirroredKeys keys,
            Bytes prefix,
            IntSupplier topicPartitions) {
        this.history = history;
        this.keys = keys;
        this.prefix = prefix;
        this.topicPartitions = topicPartitions;
    }

    /**
     * Single keys of one partition and group.
     *
     * @param byGroup whether {@code group} is one of several, or stands for all keys
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
     * Reads a page from etcd. Callers wait for each other, for 5 s at most.
     *
     * @throws DigestsUnavailableException when it cannot be read, now or any more
     */
    public KeyPage read(KeyPageRequest wanted)
            throws DigestsUnavailableException, InterruptedException {
        if (wanted.partitions() != topicPartitions.getAsInt()) {
            throw new DigestsUnavailableException("the topic has another number of partitions");
        }
        if (reading.getQueueLength() >= MAX_WAITING
                || !reading.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new DigestsUnavailableException("the keys of other groups are being read");
        }
        try {
            rest();
            requireHistory(wanted);
            KeyPage page = readPage(wanted);
            requireHistory(wanted);
            return page;
        } catch (EtcdException e) {
            throw new DigestsUnavailableException("etcd: " + e.getMessage());
        } finally {
            reading.release();
        }
    }

    private void rest() throws InterruptedException {
        long left = restUntilNanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private KeyPage readPage(KeyPageRequest wanted) throws EtcdException {
        Bytes first =
                wanted.byGroup() && wanted.group().compareTo(prefix) > 0 ? wanted.group() : prefix;
        Bytes from = wanted.from().compareTo(first) > 0 ? wanted.from() : first;
        long began = System.nanoTime();
        EtcdSource.Page page =
                new PacedKeyScan(history.source(), keys, wanted.revision()).page(from);
        restUntilNanos = System.nanoTime() + PacedKeyScan.restNanos(System.nanoTime() - began);
        return select(wanted, page);
    }

    private KeyPage select(KeyPageRequest wanted, EtcdSource.Page page) {
        DirectoryGroups groups = new DirectoryGroups(prefix);
        PartitionAssigner assigner = new PartitionAssigner(wanted.partitions());
        List<KeyRevision> found = new ArrayList<>();
        long bytes = 0;
        for (EtcdKeyValue each : page.keyValues()) {
            Bytes key = each.key();
            boolean in = !wanted.byGroup() || groups.isOf(key, wanted.group());
            if (!in && !key.startsWith(wanted.group())) {
                return new KeyPage(found, Optional.empty());
            }
            if (in && keys.isStored(key) && assigner.partitionOf(key) == wanted.partition()) {
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

    private void requireHistory(KeyPageRequest wanted)
            throws DigestsUnavailableException, EtcdException {
        ResumePoint.@Nullable At now = history.now();
        if (now == null || now.epoch() != wanted.epoch() || now.revision() < wanted.revision()) {
            throw new DigestsUnavailableException("the mirror's history is another one now");
        }
        Optional<String> mismatchReason = history.mismatchReason(now);
        if (mismatchReason.isPresent()) {
            throw new DigestsUnavailableException(mismatchReason.get());
        }
    }
}
