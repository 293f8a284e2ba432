package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTable.Slot;
import io.tidemark.digest.KeyDigest;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");
    private static final Bytes NODES = Bytes.utf8("/registry/nodes/");
    private static final KeyDigest A = KeyDigest.of(Bytes.utf8("/registry/pods/a"), 3);
    private static final KeyDigest B = KeyDigest.of(Bytes.utf8("/registry/nodes/b"), 4);

    private static EtcdDigest digest(boolean byGroup, Map<Slot, KeyDigest> digests) {
        return new EtcdDigest(
                2, 10, 4, Bytes.utf8("/registry/"), new DigestTable(byGroup, digests), 1, 60_000);
    }

    private static DigestTable own(Map<Slot, KeyDigest> digests) {
        return new DigestTable(true, digests);
    }

    private static PartitionState state(boolean ready, long epoch, long floor, long watermark) {
        return new PartitionState(
                ready, epoch, 7, floor, watermark, watermark, 99, 5, 0, "http://c");
    }

    private static String whyNotComparable(PartitionState state, int partitions) {
        return Verdict.whyNotComparable(digest(true, Map.of()), state, partitions)
                .map(Verdict.Inconclusive::why)
                .orElse("none");
    }

    @Test
    void incomparableReplicaIsInconclusive() {
        assertThat(whyNotComparable(state(true, 2, 5, 10), 4)).isEqualTo("none");
        assertThat(whyNotComparable(state(true, 2, 10, 10), 4)).isEqualTo("none");
        assertThat(whyNotComparable(state(true, 2, 5, 10), 0)).contains("partitions");
        assertThat(whyNotComparable(state(false, 2, 5, 10), 4)).contains("not ready");
        assertThat(whyNotComparable(state(true, 1, 5, 10), 4)).contains("epoch 1");
        assertThat(whyNotComparable(state(true, 3, 5, 10), 4)).contains("epoch 3");
        assertThat(whyNotComparable(state(true, 2, 11, 12), 4))
                .contains("below the replica's floor 11");
        assertThat(whyNotComparable(state(true, 2, 5, 9), 4)).contains("watermark is 9");
        assertThat(whyNotComparable(PartitionState.EMPTY, 4)).contains("not ready");
    }

    @Test
    void equalDigestsOfItsPartitionAreAProof() {
        EtcdDigest digest = digest(true, Map.of(new Slot(1, PODS), A, new Slot(2, NODES), B));

        assertThat(Verdict.of(digest, 1, own(Map.of(new Slot(1, PODS), A))))
                .isEqualTo(new Verdict.Proven(10, 1));
        assertThat(Verdict.of(digest, 3, own(Map.of()))).isEqualTo(new Verdict.Proven(10, 0));
    }

    @Test
    void differsWithMissingExtraOrOtherKeys() {
        EtcdDigest digest = digest(true, Map.of(new Slot(1, PODS), A, new Slot(1, NODES), B));

        assertThat(Verdict.of(digest, 1, own(Map.of(new Slot(1, PODS), A))))
                .isEqualTo(differs(NODES));
        assertThat(Verdict.of(digest, 1, own(Map.of(new Slot(1, PODS), B, new Slot(1, NODES), B))))
                .isEqualTo(differs(PODS));
        assertThat(Verdict.of(digest(true, Map.of()), 1, own(Map.of(new Slot(1, PODS), A))))
                .isEqualTo(differs(PODS));
    }

    private static Verdict differs(Bytes group) {
        return new Verdict.Differs(10, new TreeSet<>(Set.of(group)));
    }

    @Test
    void comparesDigestsOfWholePartitions() {
        EtcdDigest digest = digest(false, Map.of(new Slot(1, DigestTable.EVERYTHING), A.plus(B)));

        assertThat(Verdict.of(digest, 1, own(Map.of(new Slot(1, PODS), A, new Slot(1, NODES), B))))
                .isEqualTo(new Verdict.Proven(10, 2));
        assertThat(Verdict.of(digest, 1, own(Map.of(new Slot(1, PODS), A))))
                .isEqualTo(differs(DigestTable.EVERYTHING));
    }

    @Test
    void replicaWithTooManyGroupsIsInconclusive() {
        EtcdDigest digest = digest(true, Map.of(new Slot(1, PODS), A));
        DigestTable collapsed = own(Map.of(new Slot(1, PODS), A)).collapsed();

        assertThat(Verdict.of(digest, 1, collapsed)).isInstanceOf(Verdict.Inconclusive.class);
    }
}
