package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.query.watch.WatchTurns.ClientCheck;
import io.tidemark.query.watch.WatchTurns.Next;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.serving.watch.SampleDeliveries;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watch sends what its permit allows, in order, and nothing else. */
class PermittedTurnsTest {
    private static final long EPOCH = 1;
    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    private final Deque<Step> live = new ArrayDeque<>();
    private final Deque<Step> history = new ArrayDeque<>();
    private final List<String> written = new ArrayList<>();
    private final FakePermit rules = new FakePermit();
    private final WatchPermit permit = new WatchPermit(rules, rules.ports(), rules);
    private @Nullable Consumer<@Nullable Throwable> blocked;
    private boolean slow;
    private boolean isLive = true;
    private boolean ending;
    private WatchTurns turns;

    private final class Script implements StepSource {
        @Override
        public Optional<Step> poll() {
            if (!isLive) {
                return Optional.empty();
            }
            Step next = live.poll();
            return Optional.of(next == null ? quiet(0) : next);
        }

        @Override
        public boolean hasMore() {
            return false;
        }

        @Override
        public Optional<Step> catchUp(long untilNanos) {
            return Optional.ofNullable(history.poll());
        }
    }

    private final class Blocking implements EventSink {
        @Override
        public void send(byte[] line) {
            written.add(text(line));
        }

        @Override
        public void flush() {}
    }

    @BeforeEach
    void open() {
        rules.knowThrough(5);
        permit.open();
        turns = turnsFrom(5);
    }

    private WatchTurns turnsFrom(long revision) {
        BookmarkClock bookmarks =
                new BookmarkClock(
                        rules::now,
                        true,
                        Duration.ofNanos(INTERVAL),
                        Duration.ofHours(1).toNanos(),
                        revision,
                        revision);
        return new WatchTurns(
                rules::now,
                new Script(),
                new WatchRun(
                        rules::now, new KeyValueEventEncoder(), bookmarks, () -> ending, _ -> {}),
                (lines, done) -> {
                    lines.forEach(line -> written.add(text(line)));
                    blocked = slow ? done : null;
                    return !slow;
                },
                rules::signal,
                new ClientCheck(Duration.ofHours(9), () -> {}),
                permit,
                EPOCH);
    }

    @Test
    void holdsEventsUntilTheRulesAreKnown() throws Exception {
        live.add(events(6));
        live.add(events(7));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).isEmpty();
        assertThat(live).hasSize(1);
        rules.knowThrough(6);
        assertThat(rules.signals).isEqualTo(1);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).hasSize(1).first().asString().contains("k-6");
        rules.knowThrough(9);
        turns.turn();
        assertThat(written).hasSize(2).last().asString().contains("k-7");
    }

    @Test
    void endsWithTheRefusalInsteadOfWhatItHeld() throws Exception {
        live.add(events(6));
        turns.turn();
        rules.change(9, FakePermit.status(403));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).isEmpty();
        rules.judge();
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("ERROR", "403");
    }

    @Test
    void endsAQuietWatch() throws Exception {
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        rules.change(9, FakePermit.status(401));
        rules.judge();
        assertThat(rules.signals).isEqualTo(1);
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("ERROR", "401");
    }

    @Test
    void sendsTheRefusalAfterABlockedWrite() throws Exception {
        slow = true;
        rules.knowThrough(6);
        live.add(events(6));
        turns.turn();
        rules.change(9, FakePermit.status(403));
        rules.judge();
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).hasSize(1);
        slow = false;
        Objects.requireNonNull(blocked).accept(null);
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).hasSize(2).last().asString().contains("403");
    }

    @Test
    void failsOnceABlockedWriteWasAborted() throws Exception {
        slow = true;
        rules.knowThrough(6);
        live.add(events(6));
        turns.turn();
        rules.writing = turns.isWriting();
        rules.change(9, FakePermit.status(403));
        rules.judge();
        rules.pass(WatchPermit.GRACE);
        assertThat(rules.aborts).isEqualTo(1);
        Objects.requireNonNull(blocked).accept(new IOException("closed"));
        assertThatThrownBy(turns::turn).isInstanceOf(IOException.class);
    }

    @Test
    void holdsWhatItReadFromTheHistory() throws Exception {
        isLive = false;
        history.add(events(6));
        history.add(events(7));
        assertThat(turns.turn()).isEqualTo(Next.CATCH_UP);
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.TURN);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).isEmpty();
        assertThat(history).hasSize(1);
        rules.knowThrough(7);
        assertThat(turns.turn()).isEqualTo(Next.CATCH_UP);
        assertThat(written).hasSize(1);
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.CATCH_UP);
        assertThat(written).hasSize(2);
    }

    @Test
    void endsAWatchThatCatchesUp() throws Exception {
        isLive = false;
        history.add(events(6));
        rules.change(9, FakePermit.status(403));
        rules.judge();
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("403");
        assertThat(history).hasSize(1);
    }

    /** A client that got a part of a revision must not resume after it. */
    @Test
    void endsInsideARevisionWith410() throws Exception {
        isLive = false;
        rules.knowThrough(6);
        history.add(new Step.Events(List.of(event(6)), new ChangePosition(6, 0)));
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.CATCH_UP);
        rules.change(9, FakePermit.status(403));
        rules.judge();
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.END);
        assertThat(written).hasSize(2).last().asString().contains("410", "revision 6");
    }

    @Test
    void holdsABookmarkUntilTheRulesAreKnown() throws Exception {
        live.add(quiet(8));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(rules.waiting()).isZero();
        rules.pass(Duration.ofNanos(INTERVAL));
        live.add(quiet(9));
        turns.turn();
        assertThat(rules.waiting()).isEqualTo(1);
        assertThat(written).isEmpty();
        rules.knowThrough(9);
        turns.turn();
        assertThat(written).singleElement().asString().contains("BOOKMARK", "\"9\"");
    }

    /** Else its turns would follow each other without a pause. */
    @Test
    void isNotDueAtOnceWhileABookmarkWaitsForRules() throws Exception {
        rules.pass(Duration.ofNanos(INTERVAL));
        live.add(quiet(9));
        turns.turn();
        assertThat(turns.isHolding()).isTrue();
        assertThat(turns.waitUntil() - rules.now()).isEqualTo(Duration.ofMillis(500).toNanos());
        rules.knowThrough(9);
        turns.turn();
        assertThat(turns.isHolding()).isFalse();
        assertThat(turns.waitUntil() - rules.now()).isEqualTo(INTERVAL);
    }

    /** No revision of the cluster has come that far, and the rules will not for long. */
    @Test
    void doesNotWaitForRulesOfAFutureRevision() throws Exception {
        turns = turnsFrom(8);
        rules.pass(Duration.ofNanos(INTERVAL));
        live.add(quiet(8));
        turns.turn();
        assertThat(rules.waiting()).isZero();
        ending = true;
        live.add(quiet(8));
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).isEmpty();
    }

    @Test
    void endsWithoutABookmarkThatIsNotAllowed() throws Exception {
        live.add(quiet(8));
        turns.turn();
        live.add(new Step.Ended());
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).isEmpty();
    }

    @Test
    void endsWithABookmarkThatIsAllowed() throws Exception {
        rules.knowThrough(8);
        live.add(quiet(8));
        turns.turn();
        live.add(new Step.Ended());
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("BOOKMARK");
    }

    @Test
    void endsWithAnErrorWhenTheRulesDoNotCome() throws Exception {
        live.add(events(6));
        turns.turn();
        rules.pass(WatchPermit.PATIENCE);
        assertThat(rules.signals).isEqualTo(1);
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("ERROR", "504");
    }

    @Test
    void endsInitialEventsWithTheRight() throws Exception {
        CheckedSink sink = new CheckedSink(new Blocking(), permit);
        sink.send("one\n".getBytes(StandardCharsets.UTF_8));
        rules.change(9, FakePermit.status(403));
        assertThatThrownBy(() -> sink.send("two\n".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(StatusException.class);
        assertThat(written).containsExactly("one");
        assertThat(rules.refused).hasSize(1);
    }

    private static Step events(long revision) {
        return new Step.Events(List.of(event(revision)), ChangePosition.endOf(revision));
    }

    private static Step quiet(long revision) {
        return new Step.NoEvents(ChangePosition.endOf(revision));
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8).strip();
    }

    private static Delivery event(long revision) {
        StoredObject object =
                StoredObjects.of(
                        "/k-" + revision,
                        (int) revision,
                        "{\"metadata\":{\"resourceVersion\":\"" + revision + "\"}}");
        return SampleDeliveries.entering(new ObjectChange(revision, 0, object.key(), object, null));
    }
}
