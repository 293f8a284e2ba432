package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each promise about a read accepts correct answers and detects violations. */
class ReadGuaranteesTest extends ModelFixture {
    private static final Item A = item("a", "web", 4);
    private static final Item B3 = item("b", "db", 3);
    private static final Item B5 = item("b", "web", 5);
    private static final Item C = item("c", "web", 4);

    @Test
    void aStateAtOneRevisionOverAllItsPagesIsASnapshot() {
        assertThat(broken(new RequestedFreshness.Any(), listed(4, page(4, A, B3), page(4, C))))
                .isEmpty();
        assertThat(broken(new RequestedFreshness.Exactly(5), listed(5, page(5, A, B5, C))))
                .isEmpty();
    }

    @Test
    void aPageOfAnotherRevisionBreaksSnapshot() {
        assertThat(broken(new RequestedFreshness.Any(), listed(4, page(4, A, B3), page(5, C))))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aStateOfTwoRevisionsBreaksSnapshot() {
        assertThat(broken(new RequestedFreshness.Any(), listed(4, page(4, A, B5, C))))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aMissingOrExtraObjectBreaksSnapshot() {
        assertThat(broken(new RequestedFreshness.Any(), listed(4, page(4, A, B3))))
                .containsExactly(Promise.SNAPSHOT);
        assertThat(broken(new RequestedFreshness.Any(), listed(6, page(6, A, B5, C))))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void aRevisionThatEtcdDoesNotHaveYetBreaksSnapshot() {
        assertThat(broken(new RequestedFreshness.Any(), listed(8, page(8, item("b", "db", 7)))))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void anotherRevisionThanTheExactOneBreaksSnapshot() {
        assertThat(broken(new RequestedFreshness.Exactly(4), listed(5, page(5, A, B5, C))))
                .containsExactly(Promise.SNAPSHOT);
    }

    @Test
    void missingAnAcknowledgedWriteBreaksLinearizable() {
        assertThat(broken(new RequestedFreshness.Now(), listed(4, page(4, A, B3, C))))
                .containsExactly(Promise.LINEARIZABLE);
        assertThat(broken(new RequestedFreshness.Now(), listed(5, page(5, A, B5, C)))).isEmpty();
    }

    @Test
    void anOlderAnswerBreaksNotOlderThan() {
        assertThat(broken(new RequestedFreshness.AtLeast(5), listed(4, page(4, A, B3, C))))
                .containsExactly(Promise.NOT_OLDER_THAN);
        assertThat(broken(new RequestedFreshness.AtLeast(4), listed(4, page(4, A, B3, C))))
                .isEmpty();
    }

    @Test
    void anEarlyTimeoutBreaksNotOlderThan() {
        assertThat(
                        broken(
                                read(
                                        new RequestedFreshness.AtLeast(9),
                                        new Answer.TimedOut(),
                                        2_900,
                                        false)))
                .containsExactly(Promise.NOT_OLDER_THAN);
        assertThat(
                        broken(
                                read(
                                        new RequestedFreshness.AtLeast(9),
                                        new Answer.TimedOut(),
                                        3_010,
                                        false)))
                .isEmpty();
    }

    @Test
    void waitingForLongerBreaksBounded() {
        assertThat(
                        broken(
                                read(
                                        new RequestedFreshness.AtLeast(9),
                                        new Answer.TimedOut(),
                                        9_000,
                                        false)))
                .containsExactly(Promise.BOUNDED);
    }

    @Test
    void anAnswerNowWithoutEtcdBreaksHonest() {
        Answer answer = listed(5, page(5, A, B5, C));
        assertThat(broken(read(new RequestedFreshness.Now(), answer, 10, true)))
                .containsExactly(Promise.HONEST);
        assertThat(broken(read(new RequestedFreshness.Any(), answer, 10, true))).isEmpty();
    }

    @Test
    void refusingAStaleReadThatAllowsAnyRevisionBreaksHonest() {
        assertThat(broken(read(new RequestedFreshness.Any(), new Answer.TimedOut(), 3_010, true)))
                .containsExactly(Promise.HONEST);
    }

    @Test
    void answering410AboveTheFloorBreaksHonest() {
        assertThat(broken(new RequestedFreshness.Exactly(5), new Answer.Gone(5)))
                .containsExactly(Promise.HONEST);
        assertThat(broken(new RequestedFreshness.Exactly(4), new Answer.Gone(5))).isEmpty();
    }

    @Test
    void understatedStalenessBreaksHonest() {
        // It ends at 8 s; revision 2 was followed by the next at 3 s.
        Page page = page(2, item("a", "web", 2));
        long least = 5_000 - ReadGuarantees.STALENESS_SLACK_MILLIS;
        Answer young = new Answer.Listed(2, List.of(page), least - 500);
        Answer old = new Answer.Listed(2, List.of(page), least + 500);
        assertThat(broken(new RequestedFreshness.Any(), young)).containsExactly(Promise.HONEST);
        assertThat(broken(new RequestedFreshness.Any(), old)).isEmpty();
    }

    private static Page page(long revision, Item... items) {
        return new Page(revision, List.of(items));
    }

    /** An answer that reports a large staleness. */
    private static Answer listed(long revision, Page... pages) {
        return new Answer.Listed(revision, List.of(pages), 60_000);
    }

    private Set<Promise> broken(RequestedFreshness ask, Answer answer) {
        return broken(read(ask, answer, 10, false));
    }

    private static RecordedRead read(
            RequestedFreshness ask, Answer answer, long millis, boolean cut) {
        return new RecordedRead(1, PODS, ask, answer, 8_000 - millis, 8_000, 5, cut);
    }
}
