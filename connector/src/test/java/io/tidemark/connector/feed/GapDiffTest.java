package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GapDiffTest {
    private static final long MARKED = 100;

    private final KeyTable held = new KeyTable();

    @Test
    void unchangedKeysAreNotMissingAndVerifyTheHistory() {
        held.put(key("a"), 90, 10, 4);
        GapDiff diff = new GapDiff(held, MARKED);
        assertThat(diff.missing(List.of(kv("a", 90, 10, 4)))).isEmpty();
        assertThat(diff.contradiction()).isEmpty();
        assertThat(diff.verifiedRevision()).isEqualTo(90);
        List<Bytes> deleted = new ArrayList<>();
        diff.eachDeleted(deleted::add);
        assertThat(deleted).isEmpty();
    }

    @Test
    void changedNewAndRecreatedKeysAreMissing() {
        held.put(key("changed"), 90, 10, 4);
        held.put(key("again"), 90, 90, 1);
        GapDiff diff = new GapDiff(held, MARKED);
        List<KeyValue> list =
                List.of(
                        kv("again", 130, 120, 2),
                        kv("changed", 110, 10, 5),
                        kv("new", 105, 105, 1));
        assertThat(diff.missing(list)).isEqualTo(list);
        assertThat(diff.contradiction()).isEmpty();
        assertThat(diff.verifiedRevision()).isEqualTo(10);
    }

    @Test
    void reconcilesKeysThatOnlyReadersOfAbortedWritesHold() {
        held.putUncommitted(key("aborted"), 104);
        held.putUncommitted(key("there"), 105);
        held.put(key("deleted"), 90, 90, 1);
        held.delete(key("deleted"));
        held.put(key("stale"), 80, 80, 1);
        assertThat(held.find(key("deleted"))).isEqualTo(-1);
        GapDiff diff = new GapDiff(held, MARKED);
        assertThat(diff.missing(List.of(kv("there", 105, 105, 1)))).hasSize(1);
        List<Bytes> deleted = new ArrayList<>();
        diff.eachDeleted(deleted::add);
        assertThat(deleted).containsExactlyInAnyOrder(key("aborted"), key("stale"));
    }

    @Test
    void aKeyIsNotBelowWhatReadersOfAbortedWritesSaw() {
        held.putUncommitted(key("a"), 130);
        assertThat(contradicts(kv("a", 120, 120, 1))).isTrue();
        assertThat(contradicts(kv("a", 130, 130, 1))).isFalse();
    }

    /** A restore has brought the key back; a later life of it has a higher revision. */
    @Test
    void aKeyIsNotOlderThanADeleteThatReadersOfAbortedWritesSaw() {
        held.put(key("k"), 5, 5, 1);
        held.putUncommitted(key("k"), 121);
        assertThat(contradicts(kv("k", 5, 5, 1))).isTrue();
        assertThat(contradicts(kv("k", 122, 122, 1))).isFalse();
    }

    @Test
    void keysOlderThanTheMarkMustMatchTheTopic() {
        held.put(key("a"), 90, 10, 4);
        held.putUncommitted(key("b"), 130);
        held.put(key("b"), 90, 90, 1);
        assertThat(contradicts(kv("a", 80, 10, 3))).as("restored").isTrue();
        assertThat(contradicts(kv("a", 90, 10, 3))).as("another version").isTrue();
        assertThat(contradicts(kv("a", 120, 10, 4))).as("changed, but the same version").isTrue();
        assertThat(contradicts(kv("a", 120, 95, 4))).as("made before the mark").isTrue();
        assertThat(contradicts(kv("new", 70, 70, 1))).as("not in the topic").isTrue();
        assertThat(contradicts(kv("b", 120, 90, 2))).as("below what readers saw").isTrue();
        assertThat(contradicts(kv("b", 130, 90, 2))).isFalse();
    }

    @Test
    void onlyChangesAboveTheMarkMayBeUnknownToTheTopic() {
        held.put(key("a"), 90, 10, 4);
        assertThat(contradicts(kv("a", 100, 10, 5))).as("changed at the mark").isTrue();
        assertThat(contradicts(kv("a", 101, 10, 5))).isFalse();
        assertThat(contradicts(kv("a", 120, 100, 2))).as("recreated at the mark").isTrue();
        assertThat(contradicts(kv("a", 120, 101, 2))).isFalse();
        assertThat(contradicts(kv("new", 100, 100, 1))).as("created at the mark").isTrue();
        assertThat(contradicts(kv("new", 101, 101, 1))).isFalse();
    }

    /** Any client of the connector reads the reason. */
    @Test
    void namesTheFirstContradictionAndItsKeySeparately() {
        held.put(key("a"), 90, 10, 4);
        GapDiff diff = new GapDiff(held, MARKED);
        List<KeyValue> _ = diff.missing(List.of(kv("a", 80, 10, 3), kv("b", 70, 70, 1)));
        assertThat(diff.contradiction())
                .hasValue(
                        new GapDiff.Contradiction(
                                key("a"),
                                "etcd holds a key in version 3 of revision 80, created at 10; in"
                                        + " the mirror, complete through 100, it is of revision"
                                        + " 90"));
    }

    @Test
    void theNewestUnchangedKeyVerifiesTheMost() {
        held.put(key("a"), 90, 10, 4);
        held.put(key("b"), 50, 50, 1);
        GapDiff diff = new GapDiff(held, MARKED);
        List<KeyValue> _ = diff.missing(List.of(kv("a", 90, 10, 4), kv("b", 50, 50, 1)));
        assertThat(diff.verifiedRevision()).isEqualTo(90);
    }

    @Test
    void onlyCommittedKeysCanVerifyTheHistory() {
        assertThat(held.hasCommitted()).isFalse();
        held.putUncommitted(key("a"), 130);
        assertThat(held.hasCommitted()).isFalse();
        held.put(key("b"), 50, 50, 1);
        assertThat(held.hasCommitted()).isTrue();
        held.delete(key("b"));
        assertThat(held.hasCommitted()).isFalse();
    }

    @Test
    void aTableMayBeIncomplete() {
        assertThat(held.incompleteReason()).isEmpty();
        held.markIncomplete("a corrupt batch");
        assertThat(held.incompleteReason()).isEqualTo("a corrupt batch");
    }

    @Test
    void keepsTheHighestAbortedRevisionOfAKeyAndItsCommittedVersion() {
        held.put(key("a"), 90, 10, 4);
        held.putUncommitted(key("a"), 130);
        held.putUncommitted(key("a"), 120);
        int entry = held.find(key("a"));
        assertThat(held.uncommitted(entry)).isEqualTo(130);
        assertThat(held.revision(entry)).isEqualTo(90);
        assertThat(held.createRevision(entry)).isEqualTo(10);
        assertThat(held.version(entry)).isEqualTo(4);
        held.delete(key("a"));
        assertThat(held.find(key("a"))).as("readers may hold it").isEqualTo(entry);
        assertThat(held.revision(entry)).isZero();
        assertThat(held.held()).isEqualTo(1);
        assertThat(held.find(key("b"))).isEqualTo(-1);
    }

    private boolean contradicts(KeyValue now) {
        GapDiff diff = new GapDiff(held, MARKED);
        List<KeyValue> _ = diff.missing(List.of(now));
        return diff.contradiction().isPresent();
    }

    @Test
    void aLargeTableFindsEveryKey() {
        int keys = 50_000;
        for (int i = 0; i < keys; i++) {
            held.put(key("/registry/pods/namespace-" + i % 97 + "/" + i), i + 1, 1, 1);
        }
        held.put(Bytes.wrap(new byte[3 << 20]), 7, 7, 1);
        for (int i = 0; i < keys; i++) {
            Bytes key = key("/registry/pods/namespace-" + i % 97 + "/" + i);
            int entry = held.find(key);
            assertThat(held.revision(entry)).isEqualTo(i + 1);
            if (i % 2 == 0) {
                held.listed(entry);
            } else if (i % 3 == 0) {
                held.delete(key);
            }
        }
        List<Bytes> deleted = new ArrayList<>();
        held.eachNotListed(deleted::add);
        assertThat(deleted).hasSize((int) held.held() - keys / 2).doesNotHaveDuplicates();
    }

    private static KeyValue kv(String key, long revision, long created, long version) {
        return new KeyValue(key(key), Bytes.utf8("v"), created, revision, version, 0);
    }

    private static Bytes key(String text) {
        return Bytes.utf8(text);
    }
}
