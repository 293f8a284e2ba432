package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.model.Received;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each promise about a watch accepts correct streams and detects violations. */
class WatchGuaranteesTest extends ModelFixture {
    private static final Received[] WHOLE = {
        added("a", "web", 2),
        added("b", "db", 3),
        modified("a", "web", 4),
        added("c", "web", 4),
        bookmark(4),
        modified("b", "web", 5),
        deleted("a", "web", 6, 4),
        modified("b", "db", 7),
        deleted("c", "web", 7, 4),
        bookmark(7),
        new Received.Ended(7)
    };

    @Test
    void aWholeWatchKeepsAll() {
        assertThat(broken(watch(PODS, 1, WHOLE))).isEmpty();
    }

    @Test
    void aSelectorTurnsLeavingIntoADeleteWithTheLastMatchingState() {
        assertThat(
                        broken(
                                watch(
                                        WEB,
                                        4,
                                        added("b", "web", 5),
                                        deleted("a", "web", 6, 4),
                                        deleted("b", "web", 7, 5),
                                        deleted("c", "web", 7, 4))))
                .isEmpty();
    }

    @Test
    void aDeleteWithTheUnmatchedStateBreaksFiltered() {
        assertThat(broken(watch(WEB, 6, deleted("b", "db", 7, 7), deleted("c", "web", 7, 4))))
                .contains(Promise.FILTERED);
    }

    @Test
    void anEventThatDoesNotMatchBreaksFiltered() {
        assertThat(broken(watch(WEB, 2, added("b", "db", 3)))).contains(Promise.FILTERED);
    }

    @Test
    void anInventedEventBreaksFiltered() {
        assertThat(broken(watch(PODS, 5, modified("b", "db", 6)))).contains(Promise.FILTERED);
    }

    @Test
    void aWrongTypeBreaksFiltered() {
        assertThat(broken(watch(PODS, 4, added("b", "web", 5))))
                .containsExactly(Promise.RELIABLE, Promise.FILTERED);
    }

    @Test
    void decreasingRevisionsBreakOrdered() {
        assertThat(broken(watch(PODS, 4, deleted("a", "web", 6, 4), modified("b", "web", 5))))
                .contains(Promise.ORDERED);
    }

    @Test
    void anEventAtTheStartItselfBreaksOrdered() {
        assertThat(broken(watch(PODS, 5, modified("b", "web", 5)))).contains(Promise.ORDERED);
    }

    @Test
    void aSecondDeliveryBreaksUnique() {
        assertThat(broken(watch(PODS, 4, modified("b", "web", 5), modified("b", "web", 5))))
                .containsExactly(Promise.UNIQUE);
    }

    @Test
    void aMissingEventBreaksReliable() {
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        4,
                                        modified("b", "web", 5),
                                        modified("b", "db", 7),
                                        deleted("c", "web", 7, 4))))
                .containsExactly(Promise.RELIABLE);
    }

    @Test
    void aPartialRevisionBreaksAtomic() {
        assertThat(broken(watch(PODS, 3, modified("a", "web", 4), new Received.Ended(4))))
                .contains(Promise.ATOMIC);
    }

    @Test
    void aBookmarkInsideARevisionBreaksAtomicAndBookmarkable() {
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        3,
                                        modified("a", "web", 4),
                                        bookmark(4),
                                        added("c", "web", 4))))
                .containsExactly(Promise.ATOMIC, Promise.BOOKMARKABLE);
    }

    @Test
    void aMissingEventAfterTheStartBreaksResumable() {
        assertThat(broken(watch(PODS, 4, deleted("a", "web", 6, 4))))
                .containsExactly(Promise.RESUMABLE);
    }

    @Test
    void belowTheFloorThereIsOneErrorAndNothingElse() {
        assertThat(broken(below(new Received.Expired(5), new Received.Ended(2)))).isEmpty();
        assertThat(broken(below(modified("b", "web", 5)))).contains(Promise.RESUMABLE);
        assertThat(broken(below(added("b", "db", 3)))).isEmpty();
        assertThat(broken(below(new Received.Expired(5), new Received.Expired(5))))
                .containsExactly(Promise.RESUMABLE);
    }

    @Test
    void anErrorAboveTheFloorBreaksResumable() {
        assertThat(broken(watch(PODS, 4, modified("b", "web", 5), new Received.Expired(5))))
                .containsExactly(Promise.RESUMABLE);
    }

    @Test
    void anEarlyBookmarkBreaksBookmarkable() {
        assertThat(broken(watch(PODS, 4, bookmark(5), modified("b", "web", 5))))
                .contains(Promise.BOOKMARKABLE);
    }

    @Test
    void aBookmarkBeyondAMissingEventBreaksBookmarkable() {
        assertThat(broken(watch(PODS, 4, bookmark(5)))).containsExactly(Promise.BOOKMARKABLE);
    }

    @Test
    void aBookmarkThatGoesBackBreaksBookmarkable() {
        assertThat(broken(watch(PODS, 7, bookmark(6)))).containsExactly(Promise.BOOKMARKABLE);
    }

    @Test
    void anInitialStateIsASnapshotThatTheEventsContinue() {
        RecordedWatch watch = new RecordedWatch(1, WEB, OptionalLong.empty(), 1);
        watch.add(new Received.Initial(item("a", "web", 4)))
                .add(new Received.Initial(item("c", "web", 4)))
                .add(new Received.Bookmark(4, true))
                .add(added("b", "web", 5));
        assertThat(broken(watch)).isEmpty();

        RecordedWatch incomplete = new RecordedWatch(1, WEB, OptionalLong.empty(), 1);
        incomplete
                .add(new Received.Initial(item("a", "web", 4)))
                .add(new Received.Bookmark(4, true));
        assertThat(broken(incomplete)).containsExactly(Promise.SNAPSHOT);
    }

    private static RecordedWatch below(Received... received) {
        RecordedWatch watch = new RecordedWatch(1, PODS, OptionalLong.of(2), 5);
        List.of(received).forEach(watch::add);
        return watch;
    }
}
