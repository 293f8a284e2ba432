package io.tidemark.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class CoroutineTest {
    private final Scheduler scheduler = new Scheduler(1);
    private final List<String> log = new ArrayList<>();
    private boolean condition;

    private Coroutine started(Consumer<Coroutine> body) {
        Coroutine[] self = new Coroutine[1];
        self[0] = new Coroutine(scheduler, "test", () -> body.accept(self[0]));
        self[0].start();
        return self[0];
    }

    private void log(String what) {
        log.add(scheduler.elapsedMillis() + " " + what);
    }

    @Test
    void otherEventsHappenWhileItSleeps() {
        Coroutine coroutine =
                started(self -> {
                    log("begins");
                    self.sleep(10);
                    log("ends");
                });
        scheduler.after(5, "other", () -> log("other, inside: " + coroutine.isRunning()));
        scheduler.advance(20);
        assertThat(log).containsExactly("0 begins", "5 other, inside: false", "10 ends");
    }

    @Test
    void aSignalEndsAWaitWhoseConditionHolds() {
        Coroutine coroutine = started(self -> log("came: " + self.await(() -> condition, 100)));
        scheduler.after(3, "in vain", coroutine::signal);
        scheduler.after(
                7,
                "condition",
                () -> {
                    condition = true;
                    coroutine.signal();
                });
        scheduler.advance(200);
        assertThat(log).containsExactly("7 came: true");
    }

    @Test
    void aWaitEndsAtItsTimeoutAlthoughItWasSignalledBefore() {
        Coroutine coroutine = started(self -> log("came: " + self.await(() -> condition, 100)));
        scheduler.after(3, "in vain", coroutine::signal);
        scheduler.advance(200);
        assertThat(log).containsExactly("100 came: false");
    }

    @Test
    void aSignalDoesNotShortenASleep() {
        Coroutine coroutine =
                started(self -> {
                    self.sleep(10);
                    log("slept");
                });
        scheduler.after(3, "signal", coroutine::signal);
        scheduler.advance(20);
        assertThat(log).containsExactly("10 slept");
    }

    @Test
    void aPausedOneContinuesOnceItIsResumed() {
        Coroutine coroutine =
                started(self -> {
                    self.sleep(10);
                    log("slept");
                });
        scheduler.after(5, "pause", () -> coroutine.pause(true));
        scheduler.after(50, "resume", () -> coroutine.pause(false));
        scheduler.advance(100);
        assertThat(log).containsExactly("50 slept");
    }

    @Test
    void aKilledOneRunsNoFinallyBlock() {
        Coroutine coroutine =
                started(self -> {
                    try {
                        self.sleep(10);
                    } finally {
                        log("finally");
                    }
                });
        scheduler.after(5, "kill", coroutine::kill);
        scheduler.advance(100);
        assertThat(log).isEmpty();
    }

    @Test
    void anExceptionReachesTheScheduler() {
        Coroutine unused =
                started(self -> {
                    self.sleep(10);
                    throw new IllegalStateException("a bug");
                });
        assertThatThrownBy(() -> scheduler.advance(100)).hasMessage("a bug");
    }
}
