package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Revisions in parts, revisions larger than the window, and ends of the publication. */
class EventDemuxLifecycleTest {
    private static final long EPOCH = 1;
    private static final int WINDOW_EVENTS = 12;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final WatchLimits LIMITS =
            new WatchLimits(
                    10, WINDOW_EVENTS, WINDOW_BYTES, 100, 1 << 20, new PageLimits(10, 1 << 20));
    private static final WatchFilter EVERYTHING = filter("/");
    private static final WatchFilter ELSEWHERE = filter("/elsewhere/");

    private final EventDemux demux = new EventDemux(LIMITS, new WindowBudget(WINDOW_BYTES));

    EventDemuxLifecycleTest() {
        demux.restart(EPOCH, 0);
    }

    private static WatchFilter filter(String prefix) {
        return new WatchFilter(
                KeyScope.prefix(Bytes.utf8(prefix)),
                Selection.OBJECTS,
                WatchFilter.WITHOUT_VERSIONS);
    }

    private WatchMailbox join(WatchFilter filter) {
        return demux.join(filter, EPOCH, demux.through()).orElseThrow().watcher();
    }

    private static ObjectChange change(long revision, int index) {
        StoredObject object =
                StoredObjects.of(
                        "/a/" + index,
                        (int) revision,
                        "{\"metadata\":{\"resourceVersion\":\"" + revision + "\"}}");
        return new ObjectChange(revision, index, object.key(), object, null);
    }

    /** One change of each revision. */
    private static ChangePage revisions(long from, long through) {
        return new ChangePage(
                IntStream.rangeClosed((int) from, (int) through)
                        .mapToObj(revision -> change(revision, 0))
                        .toList(),
                through);
    }

    /** A part of one revision. */
    private static ChangePage part(long revision, int fromIndex, int toIndex) {
        List<ObjectChange> changes =
                IntStream.rangeClosed(fromIndex, toIndex)
                        .mapToObj(index -> change(revision, index))
                        .toList();
        return new ChangePage(changes, new ChangePosition(revision, toIndex));
    }

    private static List<Long> revisions(WatchMailbox watcher) throws InterruptedException {
        return watcher.take(0) instanceof Mail.Batches(List<Batch> taken)
                ? taken.stream()
                        .flatMap(batch -> batch.events().stream())
                        .map(QueuedEvent::revision)
                        .toList()
                : List.of(-1L);
    }

    @Test
    void aRevisionInPartsIsDeliveredWhole() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(part(1, 0, 2));
        assertThat(revisions(watcher)).isEmpty();
        assertThat(demux.join(EVERYTHING, EPOCH, 0)).as("inside a revision").isEmpty();
        demux.publish(part(1, 3, 4));
        assertThat(demux.through()).isZero();
        demux.publish(new ChangePage(List.of(change(1, 5), change(2, 0)), 2));
        assertThat(revisions(watcher)).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 2L);
        assertThat(demux.through()).isEqualTo(2);
        assertThat(demux.position()).isEqualTo(ChangePosition.endOf(2));
    }

    @Test
    void aPageCompletesEarlierRevisionsAndOpensTheNext() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        ChangePage page =
                new ChangePage(
                        List.of(change(1, 0), change(2, 0), change(2, 1)),
                        new ChangePosition(2, 1));
        demux.publish(page);
        assertThat(revisions(watcher)).containsExactly(1L);
        assertThat(demux.position()).isEqualTo(new ChangePosition(2, 1));
        demux.publish(new ChangePage(List.of(), 2));
        assertThat(revisions(watcher)).containsExactly(2L, 2L);
    }

    /** Found by the simulation, seed 3511514: the first half came, as if it were the whole. */
    @Test
    void aNodeThatEndsInsideARevisionDeliversNoPartOfIt() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(part(1, 0, 2));

        demux.close();
        demux.publish(part(1, 3, 4));
        demux.publish(new ChangePage(List.of(change(1, 5)), 1));

        assertThat(watcher.take(0)).isEqualTo(new Mail.Ended(Optional.empty()));
        WatchMailbox later = demux.join(EVERYTHING, EPOCH, 0).orElseThrow().watcher();
        assertThat(revisions(later)).hasSize(6);
    }

    @Test
    void watchesOfARevisionLargerThanTheWindowCatchUp() throws Exception {
        WatchMailbox concerned = join(EVERYTHING);
        WatchMailbox other = join(ELSEWHERE);
        demux.publish(part(1, 0, WINDOW_EVENTS));
        assertThat(concerned.take(0)).isInstanceOf(Mail.Overflowed.class);
        assertThat(revisions(other)).isEmpty();
        assertThat(demux.windowBytes()).isZero();
        demux.publish(part(1, WINDOW_EVENTS + 1, WINDOW_EVENTS + 2));
        assertThat(demux.windowBytes()).as("the rest of it is not kept either").isZero();
        demux.publish(new ChangePage(List.of(change(1, 99), change(2, 0)), 2));
        assertThat(demux.join(EVERYTHING, EPOCH, 0)).as("it is not in the window").isEmpty();
        WatchMailbox later = demux.join(EVERYTHING, EPOCH, 1).orElseThrow().watcher();
        assertThat(revisions(later)).containsExactly(2L);
        assertThat(revisions(other)).as("it does not concern this watch").isEmpty();
    }

    @Test
    void aRevisionThatFillsTheWindowIsDelivered() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(part(1, 0, WINDOW_EVENTS - 1));
        demux.publish(new ChangePage(List.of(), 1));
        assertThat(revisions(watcher)).hasSize(WINDOW_EVENTS);
    }

    @Test
    void theWindowHoldsExactlyItsEvents() {
        demux.publish(revisions(1, WINDOW_EVENTS));
        assertThat(demux.join(EVERYTHING, EPOCH, 0)).isPresent();
        demux.publish(revisions(WINDOW_EVENTS + 1, WINDOW_EVENTS + 1));
        assertThat(demux.join(EVERYTHING, EPOCH, 0)).isEmpty();
        assertThat(demux.join(EVERYTHING, EPOCH, 1)).isPresent();
    }

    @Test
    void aJoiningWatchGetsOneBatchForEachRevisionItMissed() throws Exception {
        demux.publish(
                new ChangePage(List.of(change(1, 0), change(2, 0), change(2, 1), change(3, 0)), 5));
        EventDemux.Joined joined = demux.join(EVERYTHING, EPOCH, 1).orElseThrow();
        assertThat(joined.throughRevision()).isEqualTo(1);
        assertThat(joined.watcher().take(0))
                .isInstanceOfSatisfying(
                        Mail.Batches.class,
                        mail -> {
                            assertThat(mail.batches())
                                    .extracting(Batch::throughRevision)
                                    .containsExactly(2L, 5L);
                            assertThat(mail.batches())
                                    .extracting(batch -> batch.events().size())
                                    .containsExactly(2, 1);
                            assertThat(mail.batches().getFirst().bytes())
                                    .isEqualTo(2 * mail.batches().getLast().bytes());
                        });
    }

    @Test
    void aJoiningWatchThatMissedNothingIsAtTheEnd() {
        demux.publish(revisions(1, 3));
        assertThat(demux.join(ELSEWHERE, EPOCH, 1).orElseThrow().throughRevision()).isEqualTo(3);
        assertThat(demux.join(EVERYTHING, EPOCH, 7).orElseThrow().throughRevision()).isEqualTo(3);
    }

    @Test
    void aMailboxOfTrimmedEventsIsDropped() throws Exception {
        WatchMailbox slow = join(EVERYTHING);
        demux.publish(revisions(1, 1));
        WatchMailbox fast = join(EVERYTHING);
        demux.publish(revisions(2, WINDOW_EVENTS + 4));
        assertThat(revisions(slow)).as("only one in four trimmed events: kept").isNotEmpty();
        WatchMailbox stalled = join(EVERYTHING);
        demux.publish(revisions(WINDOW_EVENTS + 5, WINDOW_EVENTS + 5));
        assertThat(revisions(fast)).isNotEmpty();
        demux.publish(revisions(WINDOW_EVENTS + 6, 3 * WINDOW_EVENTS));
        assertThat(stalled.take(0)).isInstanceOf(Mail.Overflowed.class);
    }

    @Test
    void suspendEndsWatchesWithTheErrorUntilTheRestart() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(part(1, 0, 1));
        StatusException why = StatusErrors.initializing();
        demux.suspend(why);
        assertThat(watcher.take(0)).isEqualTo(new Mail.Ended(Optional.of(why)));
        assertThat(demux.suspended()).isTrue();
        assertThat(demux.windowBytes()).isZero();
        assertThat(demux.position()).isEqualTo(ChangePosition.endOf(0));
        assertThat(demux.join(EVERYTHING, EPOCH, 0)).isEmpty();
        demux.restart(EPOCH + 1, 5);
        assertThat(demux.suspended()).isFalse();
        assertThat(demux.join(EVERYTHING, EPOCH, 5)).as("of the old history").isEmpty();
        assertThat(demux.join(EVERYTHING, EPOCH + 1, 5)).isPresent();
    }

    @Test
    void fallBackSendsAllWatchesToTheStore() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(revisions(1, 1));
        demux.publish(part(2, 0, 1));
        demux.fallBackAll();
        assertThat(revisions(watcher)).as("what it has is still delivered").containsExactly(1L);
        assertThat(watcher.take(0)).isInstanceOf(Mail.Overflowed.class);
        assertThat(demux.suspended()).isTrue();
        assertThat(demux.windowBytes()).isZero();
        assertThat(demux.position()).isEqualTo(ChangePosition.endOf(1));
    }

    @Test
    void restartForgetsTheWindowAndTheOpenRevision() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.publish(revisions(1, 3));
        demux.publish(part(4, 0, 1));
        assertThat(revisions(watcher)).hasSize(3);
        demux.restart(EPOCH, 3);
        assertThat(demux.windowBytes()).isZero();
        assertThat(demux.join(EVERYTHING, EPOCH, 2)).isEmpty();
        demux.publish(part(4, 0, 1));
        demux.publish(new ChangePage(List.of(), 4));
        assertThat(revisions(watcher)).as("each event once").containsExactly(4L, 4L);
    }

    @Test
    void closeEndsWatchesAlsoThoseThatJoinLater() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.close();
        assertThat(watcher.take(0)).isEqualTo(new Mail.Ended(Optional.empty()));
        assertThat(join(EVERYTHING).take(0)).isEqualTo(new Mail.Ended(Optional.empty()));
    }

    @Test
    void aWatchThatLeftGetsNothing() throws Exception {
        WatchMailbox watcher = join(EVERYTHING);
        demux.leave(watcher);
        demux.publish(revisions(1, 1));
        assertThat(revisions(watcher)).isEmpty();
    }
}
