package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The topic's promises accept what a connector writes, and detect violations. */
class TopicGuaranteesTest extends ModelFixture {
    private static final Change.TideMark BEGIN = mark(3, Kind.LIST_BEGIN);
    private static final Change A2 = put("a", "web", 2, 2, 1, 0, true);
    private static final Change B3 = put("b", "db", 3, 3, 1, 0, true);
    private static final Change.TideMark END = mark(3, Kind.LIST_END);
    private static final Change A4 = put("a", "web", 4, 2, 2, 0, false);
    private static final Change C4 = put("c", "web", 4, 4, 1, 1, false);
    private static final Change B5 = put("b", "web", 5, 3, 2, 0, false);

    @Test
    void aListThenWholeRevisionsWithTheirMarksBreakNothing() {
        assertThat(
                        broken(
                                BEGIN,
                                A2,
                                B3,
                                END,
                                A4,
                                C4,
                                mark(4, Kind.PROGRESS),
                                mark(4, Kind.PROGRESS),
                                B5,
                                new Change.Delete(1, 6, 0, key("a")),
                                mark(6, Kind.PROGRESS)))
                .isEmpty();
    }

    @Test
    void aGapEndsWithTheStateOfEtcd() {
        Change gone = new Change.Delete(1, 7, Change.GAP_INDEX + 1, key("a"));
        Change b7 = put("b", "db", 7, 3, 3, Change.GAP_INDEX, true);
        assertThat(broken(BEGIN, A2, B3, END, b7, gone, mark(7, Kind.GAP))).isEmpty();
        assertThat(broken(BEGIN, A2, B3, END, b7, mark(7, Kind.GAP)))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aListThatLacksAKeyBreaksSnapshot() {
        assertThat(broken(BEGIN, A2, END)).containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aCommitInsideARevisionBreaksAtomic() {
        assertThat(broken(BEGIN, A2, B3, END, A4)).containsExactly(Promise.ATOMIC);
        assertThat(broken(BEGIN, A2)).containsExactly(Promise.ATOMIC);
    }

    @Test
    void aMissingChangeBreaksReliable() {
        assertThat(broken(BEGIN, A2, B3, END, A4, mark(4, Kind.PROGRESS)))
                .containsExactly(Promise.RELIABLE);
    }

    @Test
    void aRepeatedChangeBreaksUnique() {
        assertThat(broken(BEGIN, A2, B3, END, A4, C4, C4, mark(4, Kind.PROGRESS)))
                .contains(Promise.UNIQUE);
        assertThat(broken(BEGIN, A2, B3, END, C4, A4, mark(4, Kind.PROGRESS)))
                .contains(Promise.ORDERED);
    }

    @Test
    void aChangeBelowAMarkBreaksBookmarkable() {
        assertThat(broken(BEGIN, A2, B3, END, mark(4, Kind.PROGRESS), A4, C4))
                .contains(Promise.BOOKMARKABLE);
    }

    @Test
    void recordsOfAnotherEpochBreakNoTimeTravel() {
        assertThat(broken(A2)).contains(Promise.NO_TIME_TRAVEL);
        assertThat(broken(BEGIN, A2, B3, END, BEGIN)).contains(Promise.NO_TIME_TRAVEL);
    }

    @Test
    void supersededRecordsMayBeMissingAfterTheCleaner() {
        TopicGuarantees guarantees = guarantees();
        List.of(BEGIN, A2, B3, END).forEach(each -> assertThat(guarantees.take(each)).isEmpty());
        guarantees.mayMissSuperseded(true);
        assertThat(guarantees.take(C4)).isEmpty();
        assertThat(guarantees.take(mark(4, Kind.PROGRESS))).isEmpty();
        guarantees.mayMissSuperseded(false);
        assertThat(guarantees.take(B5)).isEmpty();
        assertThat(guarantees.take(new Change.Delete(1, 6, 0, key("a")))).isEmpty();
        assertThat(guarantees.take(mark(6, Kind.PROGRESS))).isEmpty();
    }

    private TopicGuarantees guarantees() {
        return new TopicGuarantees(0, 1, epoch -> Optional.of(model.epoch(epoch)));
    }

    private List<Promise> broken(Change... records) {
        TopicGuarantees guarantees = guarantees();
        List<Promise> broken = new ArrayList<>();
        for (Change record : records) {
            guarantees.take(record).map(Violation::promise).ifPresent(broken::add);
        }
        guarantees.endOfCommitted().map(Violation::promise).ifPresent(broken::add);
        return broken;
    }

    private static Change.TideMark mark(long revision, Kind kind) {
        return new Change.TideMark(1, revision, kind, 7, "");
    }

    private static Change put(
            String name,
            String app,
            long revision,
            long created,
            long version,
            int index,
            boolean listed) {
        String shown = payload(name, app, revision).shown();
        String value =
                shown.replace("\"labels\"", "\"resourceVersion\":\"" + revision + "\",\"labels\"");
        return new Change.Put(
                1,
                revision,
                index,
                key(name),
                Bytes.utf8(value),
                ContentType.KUBERNETES_JSON,
                created,
                version,
                0,
                listed,
                "");
    }
}
