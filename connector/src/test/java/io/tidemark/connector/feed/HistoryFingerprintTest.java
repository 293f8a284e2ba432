package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ContentType;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HistoryFingerprintTest {
    private final HistoryFingerprint history = new HistoryFingerprint();

    @Test
    void keepsTheNewestPutsInAnyOrderOfArrival() {
        LongStream.rangeClosed(1, 16).forEach(r -> history.observe(put("new-" + r, 100 + r)));
        LongStream.rangeClosed(1, 16).forEach(r -> history.observe(put("old-" + r, r)));
        assertThat(revisions(40)).hasSize(32);
        history.observe(put("oldest", 0));
        assertThat(revisions(40))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 16).map(r -> 117 - r).boxed().toList());
        assertThat(revisions(2)).containsExactly(116L, 115L);
    }

    @Test
    void leavesOutWhatWasReplacedOrDeleted() {
        history.observe(put("replaced", 5));
        history.observe(put("deleted", 6));
        history.observe(put("replaced", 7));
        history.observe(new Change.Delete(1, 8, 0, Bytes.utf8("deleted")));
        assertThat(revisions(16)).containsExactly(7L);
    }

    @Test
    void knowsTheNewestDeleteUntilItsKeyExistsAgain() {
        history.observe(delete("a", 5, 0));
        history.observe(delete("b", 7, 1));
        history.observe(delete("c", 6, 0));
        history.observe(put("c", 8));
        assertThat(history.newestDelete()).contains(delete("b", 7, 1));
        history.observe(put("b", 9));
        assertThat(history.newestDelete()).isEmpty();
    }

    @Test
    void knowsNoDeleteOfAListOrAGap() {
        history.observe(delete("a", 5, 0));
        history.observe(new TideMark(1, 5, TideMark.Kind.LIST_END, 1, ""));
        history.observe(delete("a", 9, Change.GAP_INDEX));
        assertThat(history.newestDelete()).isEmpty();
    }

    private static Change.Delete delete(String key, long revision, int index) {
        return new Change.Delete(1, revision, index, Bytes.utf8(key));
    }

    @Test
    void everyKindOfRecordRaisesTheHighestRevision() {
        history.observe(put("a", 5));
        assertThat(history.maxObservedRevision()).isEqualTo(5);
        history.observe(new Change.Delete(1, 8, 0, Bytes.utf8("a")));
        assertThat(history.maxObservedRevision()).isEqualTo(8);
        history.observe(new TideMark(1, 9, TideMark.Kind.PROGRESS, 1, ""));
        history.observe(put("b", 7));
        assertThat(history.maxObservedRevision()).isEqualTo(9);
    }

    @Test
    void allowsNoCommitBelowWhatReadersMayHaveSeen() {
        history.observe(9);
        assertThat(history.allowCommit(8)).isFalse();
        assertThat(history.allowCommit(9)).isTrue();
    }

    @Test
    void aFingerprintCoversTheValue() {
        PutFingerprint one = PutFingerprint.of(put("a", 5, "123456789"));
        // The check value of CRC-32C.
        assertThat(one)
                .isEqualTo(new PutFingerprint(Bytes.utf8("a"), 5, 4, 3, 2, 0xe3069283L))
                .isNotEqualTo(PutFingerprint.of(put("a", 5, "123456780")));
    }

    private List<Long> revisions(int most) {
        return history.newest(most).stream().map(PutFingerprint::revision).toList();
    }

    private static Change put(String key, long revision) {
        return new Change.Put(
                1,
                revision,
                0,
                Bytes.utf8(key),
                Bytes.utf8("v"),
                ContentType.RAW,
                0,
                1,
                0,
                false,
                "");
    }

    private static Change.Put put(String key, long revision, String value) {
        return new Change.Put(
                1,
                revision,
                0,
                Bytes.utf8(key),
                Bytes.utf8(value),
                ContentType.RAW,
                4,
                3,
                2,
                false,
                "");
    }
}
