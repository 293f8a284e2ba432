package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.serving.watch.Step;
import io.tidemark.view.request.ChangePosition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchRunTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final List<String> sent = new ArrayList<>();
    private final EventSink sink =
            new EventSink() {
                @Override
                public void send(byte[] line) {
                    sent.add(new String(line, StandardCharsets.UTF_8).strip());
                }

                @Override
                public void flush() {}
            };

    private long now;
    private boolean ending;
    private final WatchRun run =
            new WatchRun(
                    () -> now,
                    new KeyValueEventEncoder(),
                    new BookmarkClock(
                            () -> now, true, INTERVAL, Duration.ofMinutes(1).toNanos(), 5, 5),
                    () -> ending,
                    _ -> {});

    private boolean take(Step step) throws Exception {
        return run.take(step, run.tells(step), sink);
    }

    @Test
    void sendsABookmarkWhenItIsDue() throws Exception {
        assertThat(take(quiet(ChangePosition.endOf(8)))).isTrue();
        assertThat(sent).isEmpty();
        now = run.waitUntil();
        assertThat(now).isEqualTo(INTERVAL.toNanos());
        assertThat(take(quiet(ChangePosition.endOf(9)))).isTrue();
        assertThat(sent).containsExactly(bookmark(9));
    }

    /** Its right was judged for a step without one. */
    @Test
    void sendsNoBookmarkThatBecomesDueAfterItWasJudged() throws Exception {
        Step step = quiet(ChangePosition.endOf(8));
        long told = run.tells(step);
        assertThat(told).isZero();
        now = run.waitUntil();
        assertThat(run.take(step, told, sink)).isTrue();
        assertThat(sent).isEmpty();
        assertThat(run.waitUntil()).isEqualTo(now);
        assertThat(take(quiet(ChangePosition.endOf(9)))).isTrue();
        assertThat(sent).containsExactly(bookmark(9));
    }

    @Test
    void neitherEndsNorSendsABookmarkInsideARevision() throws Exception {
        ending = true;
        assertThat(take(quiet(new ChangePosition(9, 3)))).isTrue();
        assertThat(sent).isEmpty();
        assertThat(take(quiet(ChangePosition.endOf(9)))).isFalse();
        assertThat(sent).containsExactly(bookmark(9));
    }

    @Test
    void endsAfterItsTime() throws Exception {
        now = Duration.ofMinutes(1).toNanos();
        assertThat(take(quiet(ChangePosition.endOf(5)))).isFalse();
        assertThat(sent).isEmpty();
    }

    @Test
    void sendsABookmarkBeforeTheNodeEndsIt() throws Exception {
        assertThat(take(quiet(ChangePosition.endOf(9)))).isTrue();
        assertThat(take(new Step.Ended())).isFalse();
        assertThat(sent).containsExactly(bookmark(9));
    }

    @Test
    void sendsABookmarkWhenTheNodeBeginsToEndAfterItWasJudged() throws Exception {
        Step step = quiet(ChangePosition.endOf(8));
        long told = run.tells(step);
        ending = true;
        assertThat(run.take(step, told, sink)).isTrue();
        assertThat(sent).isEmpty();
        assertThat(take(quiet(ChangePosition.endOf(9)))).isFalse();
        assertThat(sent).containsExactly(bookmark(9));
    }

    private static Step quiet(ChangePosition through) {
        return new Step.NoEvents(through);
    }

    private static String bookmark(long revision) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}}}"
                .formatted(revision);
    }
}
