package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class WatchPermitTest {
    private static final long EPOCH = 1;

    private final FakePermit rules = new FakePermit();
    private final WatchPermit permit = new WatchPermit(rules, rules.ports(), rules);

    private boolean allows(long revision) {
        return permit.allows(EPOCH, revision);
    }

    private int refusedWith() {
        try {
            permit.check();
            return 0;
        } catch (StatusException e) {
            return e.status().code();
        }
    }

    @Test
    void allowsWhatTheRulesCoverWithoutAJudgement() {
        permit.open();
        rules.knowThrough(10);
        assertThat(allows(10)).isTrue();
        assertThat(allows(0)).isTrue();
        assertThat(rules.judgementsMade).isZero();
        assertThat(rules.hasJudgement()).isFalse();
        assertThat(rules.signals).isZero();
    }

    @Test
    void holdsWhatTheRulesDoNotCoverUntilTheyCome() {
        permit.open();
        rules.knowThrough(10);
        assertThat(allows(11)).isFalse();
        assertThat(allows(11)).isFalse();
        assertThat(rules.waiting()).isEqualTo(1);
        rules.knowThrough(10);
        assertThat(rules.signals).isZero();
        rules.knowThrough(11);
        assertThat(rules.signals).isEqualTo(1);
        assertThat(allows(11)).isTrue();
        assertThat(rules.waiting()).isZero();
        assertThat(allows(12)).isFalse();
        assertThat(rules.waiting()).isEqualTo(1);
    }

    @Test
    void holdsUntilItIsJudgedByNewRules() {
        permit.open();
        rules.change(20, null);
        assertThat(allows(15)).isFalse();
        assertThat(rules.signals).isZero();
        rules.judge();
        assertThat(rules.signals).isEqualTo(1);
        assertThat(allows(15)).isTrue();
    }

    @Test
    void signalsOnlyAWatchThatHoldsSomethingWhenItsRightRemains() {
        permit.open();
        rules.change(20, null);
        rules.judge();
        assertThat(rules.judgementsMade).isEqualTo(1);
        assertThat(rules.signals).isZero();
        assertThat(refusedWith()).isZero();
    }

    @Test
    void endsAQuietWatchOnceAndSaysWhy() {
        permit.open();
        rules.change(20, FakePermit.status(403));
        rules.judge();
        assertThat(rules.signals).isEqualTo(1);
        assertThat(refusedWith()).isEqualTo(403);
        assertThatThrownBy(() -> allows(1)).isInstanceOf(StatusException.class);
        assertThatThrownBy(permit::require).isInstanceOf(StatusException.class);
        rules.change(21, null);
        rules.judge();
        assertThat(refusedWith()).isEqualTo(403);
        assertThat(rules.refused).hasSize(1);
    }

    @Test
    void allowsNothingBetweenTheRevocationAndItsJudgement() {
        permit.open();
        rules.knowThrough(10);
        rules.change(20, FakePermit.status(403));
        assertThat(allows(11)).isFalse();
        rules.judge();
        assertThatThrownBy(() -> allows(11)).isInstanceOf(StatusException.class);
    }

    @Test
    void judgesAgainWhenRulesChangeDuringAJudgement() {
        permit.open();
        rules.change(20, null);
        rules.change(21, FakePermit.status(403));
        rules.judge();
        assertThat(refusedWith()).isEqualTo(403);
    }

    @Test
    void noticesAChangeBeforeItWasOpened() {
        rules.change(20, FakePermit.status(403));
        permit.open();
        rules.judge();
        assertThat(refusedWith()).isEqualTo(403);
    }

    @Test
    void abortsAWatchWhoseClientDoesNotReadAfterItsGrace() {
        permit.open();
        rules.writing = true;
        rules.change(20, FakePermit.status(403));
        rules.judge();
        rules.pass(WatchPermit.GRACE.minusMillis(1));
        assertThat(rules.aborts).isZero();
        rules.pass(Duration.ofMillis(1));
        assertThat(rules.aborts).isEqualTo(1);
    }

    /** Its turn comes late on a busy node, and its client reads. */
    @Test
    void letsADelayedWatchWriteWhyItEnds() {
        permit.open();
        rules.change(20, FakePermit.status(403));
        rules.judge();
        rules.pass(WatchPermit.PATIENCE.minusMillis(1));
        assertThat(rules.aborts).isZero();
        rules.writing = true;
        rules.pass(WatchPermit.GRACE);
        assertThat(rules.aborts).isEqualTo(1);
    }

    /** Its client may read; the write has only just begun. */
    @Test
    void abortsNoWatchThatBeganToWriteWithinTheGrace() {
        permit.open();
        rules.change(20, FakePermit.status(403));
        rules.judge();
        rules.pass(WatchPermit.GRACE.minusMillis(1));
        rules.writing = true;
        rules.pass(Duration.ofMillis(1));
        assertThat(rules.aborts).isZero();
        rules.pass(WatchPermit.GRACE);
        assertThat(rules.aborts).isEqualTo(1);
    }

    @Test
    void abortsADelayedWatchInTheEnd() {
        permit.open();
        rules.change(20, FakePermit.status(403));
        rules.judge();
        rules.pass(WatchPermit.PATIENCE.minusMillis(1));
        assertThat(rules.aborts).isZero();
        rules.pass(WatchPermit.GRACE);
        assertThat(rules.aborts).isEqualTo(1);
        assertThat(rules.left()).isEqualTo(1);
    }

    @Test
    void abortsNoWatchThatHasEnded() {
        permit.open();
        rules.change(20, FakePermit.status(403));
        rules.judge();
        permit.close();
        rules.pass(Duration.ofMinutes(1));
        assertThat(rules.aborts).isZero();
    }

    @Test
    void endsWhenItsCredentialsExpire() {
        rules.expireAt(Duration.ofSeconds(100));
        permit.open();
        rules.answer(FakePermit.status(401));
        rules.pass(Duration.ofMillis(99_900));
        assertThat(rules.hasJudgement()).isFalse();
        rules.pass(Duration.ofMillis(101));
        rules.judge();
        assertThat(refusedWith()).isEqualTo(401);
    }

    @Test
    void goesOnWhenItsCredentialsAreRenewed() {
        rules.expireAt(Duration.ofSeconds(10));
        permit.open();
        rules.pass(Duration.ofSeconds(10));
        rules.expireAt(Duration.ofSeconds(10));
        rules.judge();
        assertThat(refusedWith()).isZero();
        rules.answer(FakePermit.status(401));
        rules.pass(Duration.ofSeconds(11));
        rules.judge();
        assertThat(refusedWith()).isEqualTo(401);
    }

    @Test
    void endsWithAnErrorWhenTheRulesDoNotCome() {
        permit.open();
        assertThat(allows(1)).isFalse();
        rules.pass(WatchPermit.PATIENCE.minusMillis(1));
        assertThat(allows(1)).isFalse();
        assertThat(rules.signals).isZero();
        rules.pass(Duration.ofMillis(1));
        assertThat(rules.signals).isEqualTo(1);
        assertThatThrownBy(() -> allows(1)).hasMessageContaining("30 s");
        assertThat(rules.refused).hasSize(1);
        assertThat(rules.refused.getFirst().status().code()).isEqualTo(504);
    }

    @Test
    void waitsForNextRulesAsLongAsForTheFirst() {
        permit.open();
        for (int revision = 1; revision < 5; revision++) {
            assertThat(allows(revision)).isFalse();
            rules.pass(WatchPermit.PATIENCE.minusSeconds(1));
            rules.knowThrough(revision);
            assertThat(allows(revision)).isTrue();
        }
    }

    @Test
    void judgesAgainWhileItCannotBeDecided() {
        permit.open();
        rules.change(20, FakePermit.status(503));
        rules.judge();
        assertThat(allows(1)).isFalse();
        assertThat(refusedWith()).isZero();
        rules.answer(null);
        rules.pass(Duration.ofSeconds(1));
        rules.judge();
        assertThat(allows(1)).isTrue();
    }

    @Test
    void endsWhenItCannotBeDecidedForLong() {
        permit.open();
        rules.change(20, FakePermit.status(503));
        for (int second = 0; second < 30; second++) {
            rules.judge();
            assertThat(rules.refused).isEmpty();
            rules.pass(Duration.ofSeconds(1));
        }
        rules.judge();
        assertThat(refusedWith()).isEqualTo(503);
    }

    @Test
    void requiresAtOnceWhenTheThreadMayBlock() throws Exception {
        permit.open();
        permit.require();
        rules.change(20, FakePermit.status(403));
        assertThatThrownBy(permit::require).isInstanceOf(StatusException.class);
        assertThat(refusedWith()).isEqualTo(403);
    }

    @Test
    void leavesNothingBehind() {
        rules.expireAt(Duration.ofHours(1));
        permit.open();
        assertThat(allows(1)).isFalse();
        rules.change(0, FakePermit.status(503));
        rules.judge();
        assertThat(rules.left()).isGreaterThan(3);
        permit.close();
        assertThat(rules.left()).isZero();
    }

    @Test
    void neverJudgesWithoutAccessControl() throws Exception {
        WatchPermit everything = WatchPermit.EVERYTHING;
        everything.open();
        everything.check();
        everything.require();
        assertThat(everything.isLimited()).isFalse();
        assertThat(everything.allows(EPOCH, Long.MAX_VALUE)).isTrue();
        everything.close();
    }

    @Test
    void looksAtAFarExpiryEachMinute() {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        assertThat(WatchPermit.nanosUntil(Instant.MAX, clock))
                .isEqualTo(Duration.ofMinutes(1).toNanos());
        assertThat(WatchPermit.nanosUntil(Instant.MIN, clock))
                .isEqualTo(Duration.ofMillis(1).toNanos());
        assertThat(WatchPermit.nanosUntil(Instant.EPOCH.plusMillis(20), clock))
                .isEqualTo(Duration.ofMillis(20).toNanos());
    }
}
