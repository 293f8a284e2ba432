package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.KeyDigest;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The result of comparing a replica with etcd. */
public sealed interface Verdict {
    /** At the revision the replica has exactly the keys that etcd had, at their revisions. */
    record Proven(long revision, long keys) implements Verdict {}

    /** The digests of these groups differ, at the same revision of the same epoch. */
    record Differs(long revision, TreeSet<Bytes> groups) implements Verdict {}

    /** The comparison was not possible this time. */
    record Inconclusive(String why) implements Verdict {}

    /**
     * Whether a replica can be compared at all.
     *
     * @return why not; empty when it can
     */
    static Optional<Inconclusive> whyNotComparable(
            EtcdDigest digest, PartitionState state, int partitions) {
        if (digest.partitions() != partitions) {
            return none(
                    "the digests are for %d partitions, the mirror has %d"
                            .formatted(digest.partitions(), partitions));
        }
        if (!state.ready()) {
            return none("the replica is not ready");
        }
        if (state.epoch() != digest.epoch()) {
            return none(
                    "the replica is in epoch %d, the digests are of epoch %d"
                            .formatted(state.epoch(), digest.epoch()));
        }
        if (digest.revision() < state.floor()) {
            return none(
                    "revision %d is below the replica's floor %d"
                            .formatted(digest.revision(), state.floor()));
        }
        if (digest.revision() > state.watermark()) {
            return none(
                    "the replica's watermark is %d, the digests are of %d"
                            .formatted(state.watermark(), digest.revision()));
        }
        return Optional.empty();
    }

    private static Optional<Inconclusive> none(String why) {
        return Optional.of(new Inconclusive(why));
    }

    /**
     * Compares digests at the revision of {@code digest}.
     *
     * @param own the replica's digests, grouped as in {@code digest}
     */
    static Verdict of(EtcdDigest digest, int partition, DigestTable own) {
        DigestTable comparable = digest.table().byGroup() ? own : own.collapsed();
        if (comparable.byGroup() != digest.table().byGroup()) {
            return new Inconclusive("the replica has more groups than the digest table can hold");
        }
        Map<Bytes, KeyDigest> expected = digest.table().of(partition);
        Map<Bytes, KeyDigest> found = comparable.of(partition);
        TreeSet<Bytes> differing = new TreeSet<>();
        TreeSet<Bytes> all = new TreeSet<>(expected.keySet());
        all.addAll(found.keySet());
        for (Bytes group : all) {
            KeyDigest etcds = expected.getOrDefault(group, KeyDigest.NONE);
            if (!etcds.equals(found.getOrDefault(group, KeyDigest.NONE))) {
                differing.add(group);
            }
        }
        long keys = found.values().stream().mapToLong(KeyDigest::keys).sum();
        return differing.isEmpty()
                ? new Proven(digest.revision(), keys)
                : new Differs(digest.revision(), differing);
    }
}
