package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of one partition and group from etcd, for a node whose sum of them is another one:
 * to name those that differ.
 */
public final class GroupKeys {
    private final FollowedHistory history;
    private final MirroredKeys keys;
    private final Bytes prefix;

    /** One reading at a time. */
    private final Semaphore reading = new Semaphore(1);

    GroupKeys(FollowedHistory history, MirroredKeys keys, Bytes prefix) {
        this.history = history;
        this.keys = keys;
        this.prefix = prefix;
    }

    /**
     * Single keys of one partition and group.
     *
     * @param byGroup whether {@code group} is one of several, or stands for all keys
     */
    public record Wanted(
            long epoch,
            long revision,
            int partitions,
            int partition,
            boolean byGroup,
            Bytes group) {}

    /** Takes keys in order. */
    @FunctionalInterface
    public interface KeySink<X extends Exception> {
        void take(KeyRevision key) throws X;
    }

    /**
     * Reads them from etcd, in key order. One caller at a time is served.
     *
     * @throws NoDigests when they cannot be read, now or any more, or not all of them
     */
    public <X extends Exception> void read(Wanted wanted, KeySink<X> sink)
            throws NoDigests, InterruptedException, X {
        if (!reading.tryAcquire()) {
            throw new NoDigests("the keys of another group are being read");
        }
        try {
            requireHistory(wanted);
            DirectoryGroups groups = new DirectoryGroups(prefix);
            PartitionAssigner assigner = new PartitionAssigner(wanted.partitions());
            Bytes from =
                    wanted.byGroup() && wanted.group().compareTo(prefix) > 0
                            ? wanted.group()
                            : prefix;
            new KeyPages(history.source(), keys, wanted.revision())
                    .<X>read(
                            from,
                            key -> {
                                boolean in =
                                        !wanted.byGroup() || groups.isOf(key.key(), wanted.group());
                                if (in && assigner.partitionOf(key.key()) == wanted.partition()) {
                                    sink.take(key);
                                }
                                return in || key.key().startsWith(wanted.group());
                            });
            requireHistory(wanted);
        } catch (EtcdException e) {
            throw new NoDigests("etcd: " + e.getMessage());
        } finally {
            reading.release();
        }
    }

    private void requireHistory(Wanted wanted) throws NoDigests, EtcdException {
        ResumePoint.@Nullable At now = history.now();
        if (now == null || now.epoch() != wanted.epoch() || now.revision() < wanted.revision()) {
            throw new NoDigests("the mirror's history is another one now");
        }
        Optional<String> hindrance = history.hindrance(now);
        if (hindrance.isPresent()) {
            throw new NoDigests(hindrance.get());
        }
    }
}
