package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.KeyDigest;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What a comparison of a copy with etcd came to. */
public sealed interface Verdict {
    /** The copy holds at the revision exactly the keys that etcd held, at their revisions. */
    record Proven(long revision, long keys) implements Verdict {}

    /** The sums of these groups differ, at the same revision of the same history. */
    record Differs(long revision, TreeSet<Bytes> groups) implements Verdict {}

    /** Nothing can be said this time. */
    record Inconclusive(String why) implements Verdict {}

    /**
     * Whether a copy can be compared at all.
     *
     * @return why not; empty when it can
     */
    static Optional<Inconclusive> whyNotComparable(
            EtcdDigest truth, PartitionState state, int partitions) {
        if (truth.partitions() != partitions) {
            return none(
                    "the digests are of %d partitions, there are %d"
                            .formatted(truth.partitions(), partitions));
        }
        if (!state.ready()) {
            return none("the copy is not ready");
        }
        if (state.epoch() != truth.epoch()) {
            return none(
                    "the copy is in epoch %d, the digests are of %d"
                            .formatted(state.epoch(), truth.epoch()));
        }
        if (truth.revision() < state.floor()) {
            return none(
                    "revision %d is below the copy's floor %d"
                            .formatted(truth.revision(), state.floor()));
        }
        if (truth.revision() > state.watermark()) {
            return none(
                    "the copy is at %d, the digests are of %d"
                            .formatted(state.watermark(), truth.revision()));
        }
        return Optional.empty();
    }

    private static Optional<Inconclusive> none(String why) {
        return Optional.of(new Inconclusive(why));
    }

    /**
     * Compares sums that were read at the revision of {@code truth}.
     *
     * @param own what the copy holds; groups are told apart as {@code truth} does it
     */
    static Verdict of(EtcdDigest truth, int partition, DigestTable own) {
        DigestTable comparable = truth.table().byGroup() ? own : own.collapsed();
        if (comparable.byGroup() != truth.table().byGroup()) {
            return new Inconclusive("the copy has more groups than can be told apart");
        }
        Map<Bytes, KeyDigest> wanted = truth.table().of(partition);
        Map<Bytes, KeyDigest> found = comparable.of(partition);
        TreeSet<Bytes> differing = new TreeSet<>();
        TreeSet<Bytes> all = new TreeSet<>(wanted.keySet());
        all.addAll(found.keySet());
        for (Bytes group : all) {
            KeyDigest etcds = wanted.getOrDefault(group, KeyDigest.NONE);
            if (!etcds.equals(found.getOrDefault(group, KeyDigest.NONE))) {
                differing.add(group);
            }
        }
        long keys = found.values().stream().mapToLong(KeyDigest::keys).sum();
        return differing.isEmpty()
                ? new Proven(truth.revision(), keys)
                : new Differs(truth.revision(), differing);
    }
}
