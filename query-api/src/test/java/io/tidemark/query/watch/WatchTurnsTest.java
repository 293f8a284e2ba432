package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.query.watch.WatchTurns.ClientCheck;
import io.tidemark.query.watch.WatchTurns.Next;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.view.request.ChangePosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WatchTurnsTest {
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();
    private static final long CHECKS = Duration.ofSeconds(30).toNanos();

    private final Deque<Object> steps = new ArrayDeque<>();
    private final List<String> written = new ArrayList<>();
    private final List<String> blocked = new ArrayList<>();
    private final Deque<Consumer<@Nullable Throwable>> incomplete = new ArrayDeque<>();
    private boolean slow;
    private boolean more;
    private boolean ending;
    private long now;
    private int signals;
    private int checks;
    private final WatchTurns turns =
            new WatchTurns(
                    () -> now,
                    new Script(),
                    new WatchRun(
                            () -> now,
                            new KeyValueEventEncoder(),
                            new BookmarkClock(
                                    () -> now,
                                    true,
                                    Duration.ofNanos(INTERVAL),
                                    Duration.ofHours(1).toNanos(),
                                    5,
                                    5),
                            () -> ending,
                            _ -> {}),
                    (lines, done) -> {
                        lines.forEach(line -> written.add(text(line)));
                        if (slow) {
                            incomplete.add(done);
                        }
                        return !slow;
                    },
                    () -> signals++,
                    new ClientCheck(Duration.ofNanos(CHECKS), () -> checks++));

    /** The steps in order; a StatusException is thrown, and none left means not live. */
    private final class Script implements StepSource {
        @Override
        public Optional<Step> poll() {
            return next();
        }

        @Override
        public Optional<Step> catchUp(long untilNanos) {
            return next();
        }

        @Override
        public boolean hasMore() {
            return more && !steps.isEmpty();
        }

        private Optional<Step> next() {
            return switch (steps.poll()) {
                case null -> Optional.empty();
                case StatusException refused -> throw refused;
                case Object step -> Optional.of((Step) step);
            };
        }
    }

    @Test
    void waitsForASignalOnceNothingMoreHasCome() throws Exception {
        due(9);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).containsExactly(bookmark(9));
        assertThat(turns.waitUntil()).isEqualTo(2 * INTERVAL);
    }

    /** The signals of what did not match also announced what follows it. */
    @Test
    void goesOnWhenWhatItTookDidNotMatchAndMoreHasCome() throws Exception {
        more = true;
        steps.add(quiet(9));
        steps.add(quiet(10));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(steps).isEmpty();
    }

    @Test
    void takesNothingWhileAWriteIsIncomplete() throws Exception {
        slow = true;
        due(9);
        steps.add(quiet(10));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(turns.isWriting()).isTrue();
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(steps).hasSize(1);
        incomplete.remove().accept(null);
        assertThat(signals).isEqualTo(1);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(steps).isEmpty();
    }

    /** Its timer would otherwise run without a pause until the client reads. */
    @Test
    void waitsWhileAWriteIsIncompleteAlthoughMoreIsDue() throws Exception {
        slow = true;
        due(9);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        now += 2 * CHECKS;
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(turns.waitUntil()).isGreaterThan(now);
        incomplete.remove().accept(null);
        assertThat(turns.waitUntil()).isLessThanOrEqualTo(now);
    }

    @Test
    void failsWhenAWriteHasFailed() throws Exception {
        slow = true;
        due(9);
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        incomplete.remove().accept(new IOException("reset"));
        assertThat(signals).isEqualTo(1);
        assertThatThrownBy(turns::turn)
                .isInstanceOf(IOException.class)
                .hasRootCauseMessage("reset");
    }

    @Test
    void failsOnceTheClientHasDisconnected() {
        turns.fail(new IOException("closed"));
        assertThat(signals).isEqualTo(1);
        assertThatThrownBy(turns::turn).isInstanceOf(IOException.class);
    }

    @Test
    void endsOnlyWhenTheLastLineIsWritten() throws Exception {
        slow = true;
        ending = true;
        steps.add(quiet(9));
        assertThat(turns.turn()).isEqualTo(Next.SIGNAL);
        assertThat(written).containsExactly(bookmark(9));
        incomplete.remove().accept(null);
        assertThat(turns.turn()).isEqualTo(Next.END);
    }

    @Test
    void endsWithAnErrorEventWhenItsPositionIsCompacted() throws Exception {
        steps.add(StatusErrors.watchExpired("5", 7));
        assertThat(turns.turn()).isEqualTo(Next.END);
        assertThat(written).singleElement().asString().contains("ERROR", "410");
    }

    @Test
    void catchesUpOnceItIsNotLive() throws Exception {
        assertThat(turns.turn()).isEqualTo(Next.CATCH_UP);
        now = INTERVAL;
        steps.add(quiet(9));
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.CATCH_UP);
        assertThat(blocked).containsExactly(bookmark(9));
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.TURN);
        assertThat(written).isEmpty();
    }

    @Test
    void sendsTheErrorEventOfACatchUpBlocking() throws Exception {
        steps.add(StatusErrors.watchExpired("5", 7));
        assertThat(turns.catchUp(new Blocking())).isEqualTo(Next.END);
        assertThat(blocked).singleElement().asString().contains("ERROR", "410");
    }

    @Test
    void checksTheClientOfAQuietWatchAtIntervals() throws Exception {
        steps.add(quiet(5));
        turns.turn();
        assertThat(checks).isZero();
        now = CHECKS;
        steps.add(quiet(5));
        turns.turn();
        steps.add(quiet(5));
        turns.turn();
        assertThat(checks).isEqualTo(1);
        assertThat(turns.waitUntil()).isLessThanOrEqualTo(2 * CHECKS);
    }

    /** The next step sends a bookmark. */
    private void due(long revision) {
        now = INTERVAL;
        steps.add(quiet(revision));
    }

    private static Step quiet(long revision) {
        return new Step.NoEvents(ChangePosition.endOf(revision));
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8).strip();
    }

    private static String bookmark(long revision) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}}}"
                .formatted(revision);
    }

    private final class Blocking implements EventSink {
        @Override
        public void send(byte[] line) {
            blocked.add(text(line));
        }

        @Override
        public void flush() {}
    }
}
