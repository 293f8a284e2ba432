package io.tidemark.query.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesWaitTest {
    private final FakePermit permit = new FakePermit();
    private long nanos;

    private RulesWait waitFor(long known, long revision) {
        return new RulesWait(
                permit,
                new PartitionSetStatus(-1, true, 1, 0, 1, 1, known, 0, 0, ""),
                new ReadPoint(new PartitionSet(0, 1), 1, revision, 0),
                Duration.ofSeconds(3),
                () -> nanos);
    }

    @Test
    void waitsForTheRulesOfTheState() throws InterruptedException {
        RulesWait wait = waitFor(5, 9);
        permit.through = 8;
        assertThat(wait.poll()).isFalse();
        permit.through = 9;
        assertThat(wait.poll()).isTrue();
        assertThat(permit.judgedAt).containsExactly(9L);
    }

    @Test
    void judgesAnOldStateByTheRulesOfTheNewestKnown() throws InterruptedException {
        RulesWait wait = waitFor(9, 5);
        permit.through = 8;
        assertThat(wait.poll()).isFalse();
        permit.through = 9;
        assertThat(wait.poll()).isTrue();
    }

    @Test
    void isRefusedWhenTheNewRulesForbidIt() {
        RulesWait wait = waitFor(5, 5);
        permit.through = 5;
        permit.allowed = false;
        assertThatThrownBy(wait::poll)
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(403));
    }

    /** The caller was a master, whom no rules concern, and is none any more. */
    @Test
    void waitsForTheRulesThatTheJudgementNeeds() throws InterruptedException {
        RulesWait wait = waitFor(5, 9);
        permit.through = 9;
        permit.throughOnceJudged = 8;
        assertThat(wait.poll()).isFalse();
        permit.through = 9;
        permit.throughOnceJudged = 9;
        assertThat(wait.poll()).isTrue();
    }

    /** The rules came after the judgement had begun by older ones. */
    @Test
    void isJudgedAgainWhenTheRulesChangedMeanwhile() throws InterruptedException {
        RulesWait wait = waitFor(5, 9);
        permit.through = 9;
        permit.current = false;
        assertThat(wait.poll()).isFalse();
        permit.current = true;
        assertThat(wait.poll()).isTrue();
    }

    @Test
    void givesUpWhenItsTimeIsOver() throws InterruptedException {
        RulesWait wait = waitFor(5, 5);
        nanos = Duration.ofSeconds(3).toNanos() - 1;
        assertThat(wait.poll()).isFalse();
        nanos++;
        assertThatThrownBy(wait::poll)
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(504));
        assertThat(permit.judgedAt).isEmpty();
    }

    private static final class FakePermit implements Permit {
        private final List<Long> judgedAt = new ArrayList<>();
        private long through;
        private long throughOnceJudged = Long.MAX_VALUE;
        private boolean allowed = true;
        private boolean current = true;

        @Override
        public boolean covers(long epoch, long revision) {
            return through >= revision;
        }

        @Override
        public boolean isCurrent() {
            return current;
        }

        @Override
        public void require() {
            judgedAt.add(through);
            through = Math.min(through, throughOnceJudged);
            if (!allowed) {
                throw new StatusException(
                        new StatusException.FailureStatus(403, "Forbidden", "forbidden"));
            }
        }

        @Override
        public Instant until() {
            return Instant.MAX;
        }

        @Override
        public Runnable onceCovered(long epoch, long revision, Runnable task) {
            throw new UnsupportedOperationException("would block");
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return () -> {};
        }
    }
}
