package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.model.Received;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A bridged gap from 3 through 7: a and c are deleted, b changes twice. */
class GapGuaranteesTest extends ModelFixture {
    @Test
    void anExactGapDeliversOnlyNetChanges() {
        netChangesWritten(true);
        assertThat(broken(watch(PODS, 3, modified("b", "db", 7), deleted("a", "web", 7, 2))))
                .isEmpty();
        assertThat(broken(watch(WEB, 3, deleted("a", "web", 7, 2), bookmark(7)))).isEmpty();
        assertThat(broken(watch(PODS, 5, modified("b", "db", 7), deleted("a", "web", 7, 2))))
                .isEmpty();
    }

    @Test
    void intermediateChangesOfAGapAreRejected() {
        netChangesWritten(true);
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        3,
                                        modified("b", "web", 5),
                                        modified("b", "db", 7),
                                        deleted("a", "web", 7, 2))))
                .contains(Promise.FILTERED, Promise.RESUMABLE);
        assertThat(broken(watch(PODS, 3, deleted("a", "web", 6, 4), modified("b", "db", 7))))
                .contains(Promise.FILTERED);
    }

    @Test
    void aMissingDeleteBreaksReliable() {
        netChangesWritten(true);
        assertThat(broken(watch(PODS, 3, modified("b", "db", 7)))).contains(Promise.RELIABLE);
        assertThat(broken(watch(PODS, 3, bookmark(7)))).contains(Promise.BOOKMARKABLE);
    }

    @Test
    void eventsOutsideAGapAreCheckedAsUsual() {
        truth().netChangesWritten(4, 6, true);
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        2,
                                        added("b", "db", 3),
                                        modified("a", "web", 4),
                                        added("c", "web", 4),
                                        modified("b", "web", 5),
                                        deleted("a", "web", 6, 4),
                                        modified("b", "db", 7),
                                        deleted("c", "web", 7, 4))))
                .isEmpty();
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        2,
                                        added("b", "db", 3),
                                        modified("a", "web", 4),
                                        modified("b", "web", 5))))
                .contains(Promise.RELIABLE, Promise.ATOMIC);
    }

    @Test
    void statesInsideAnExactGapAreHidden() {
        netChangesWritten(true);
        assertThat(truth().isHidden(3)).isFalse();
        assertThat(truth().isHidden(4)).isTrue();
        assertThat(truth().isHidden(7)).isFalse();
    }

    @Test
    void anInexactGapMayDeliverIntermediateChanges() {
        netChangesWritten(false);
        truth().deletesWrittenAt(6);
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        3,
                                        modified("b", "web", 5),
                                        deleted("a", "web", 6, 2),
                                        modified("b", "db", 7),
                                        bookmark(7))))
                .isEmpty();
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        3,
                                        modified("b", "db", 7),
                                        deleted("a", "web", 7, 2),
                                        bookmark(7))))
                .containsExactly(Promise.FILTERED);
    }

    @Test
    void aWatchPastAGapHoldsTheStateOfEtcd() {
        netChangesWritten(false);
        truth().deletesWrittenAt(7);
        assertThat(broken(watch(PODS, 3, modified("b", "db", 7))))
                .containsExactly(Promise.RELIABLE);
        assertThat(broken(watch(PODS, 3, deleted("a", "web", 7, 2), bookmark(7))))
                .containsExactly(Promise.BOOKMARKABLE);
        assertThat(broken(watch(PODS, 5, deleted("a", "web", 7, 4), bookmark(7))))
                .containsExactly(Promise.BOOKMARKABLE);
    }

    @Test
    void eventsOfAGapContinueTheEarlierState() {
        netChangesWritten(false);
        truth().deletesWrittenAt(7);
        assertThat(broken(watch(PODS, 3, added("b", "web", 5)))).containsExactly(Promise.FILTERED);
        assertThat(
                        broken(
                                watch(
                                        PODS,
                                        3,
                                        modified("a", "web", 4),
                                        modified("b", "db", 7),
                                        deleted("a", "web", 7, 2))))
                .containsExactly(Promise.FILTERED);
        assertThat(broken(watch(PODS, 3, modified("b", "web", 6))))
                .containsExactly(Promise.FILTERED);
    }

    @Test
    void replicasFollowTheSameRules() {
        netChangesWritten(true);
        assertThat(window(modified("b", "db", 7), deleted("a", "web", 7, 2))).isTrue();
        assertThat(window(modified("b", "db", 7))).isFalse();
        netChangesWritten(false);
        truth().deletesWrittenAt(7);
        assertThat(
                        window(
                                modified("b", "web", 5),
                                modified("b", "db", 7),
                                deleted("a", "web", 7, 2)))
                .isTrue();
        assertThat(window(modified("b", "web", 5), modified("b", "db", 7))).isFalse();
    }

    private boolean window(Received.Event... history) {
        RecordedReplica replica =
                new RecordedReplica(
                        "replicas",
                        1,
                        3,
                        7,
                        0,
                        List.of(item("b", "db", 7)),
                        List.of(history),
                        PODS,
                        3);
        return FleetGuarantees.window(replica, truth()).isEmpty();
    }

    private void netChangesWritten(boolean exact) {
        truth().netChangesWritten(3, 7, exact);
    }
}
