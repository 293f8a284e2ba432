package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.selfcheck.RepairState.Action;
import io.tidemark.selfcheck.RepairState.Decision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RepairStateTest {
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();

    @Test
    void rebuildsOnceThenSuspectsTheTopic() {
        Decision first = RepairState.BEGIN.differs("a", MINUTE);
        assertThat(first.action()).isEqualTo(Action.REBUILD);
        assertThat(first.next().topicSuspected()).isFalse();

        Decision second = first.next().differs("a", 2 * MINUTE);
        assertThat(second.action()).isEqualTo(Action.NOTHING);
        assertThat(second.next().topicSuspected()).isTrue();
        assertThat(second.next().finding()).isEqualTo("a");

        RepairState proven = second.next().proven(7, 3 * MINUTE);
        assertThat(proven.finding()).isEmpty();
        assertThat(proven.topicSuspected()).isFalse();
        assertThat(proven.provenRevision()).isEqualTo(7);
    }

    @Test
    void boundsRebuildsForAnyFindings() {
        RepairState state = RepairState.BEGIN;
        int rebuilds = 0;
        for (long now = MINUTE; now < 3 * DAY; now += MINUTE) {
            Decision step =
                    now % 3 == 0 ? state.unreadable("broken", now) : state.differs("a", now);
            state = step.next();
            rebuilds += step.action() == Action.REBUILD ? 1 : 0;
            state = now % 2 == 0 ? state.proven(now, now) : state;
        }
        // 10, 20, 40, 80, 160 and 320 minutes, then every six hours.
        assertThat(rebuilds).isBetween(15, 19);
    }

    @Test
    void dayWithoutRebuildsResetsThePause() {
        RepairState state = RepairState.BEGIN.differs("a", MINUTE).next().proven(1, 2 * MINUTE);
        assertThat(state.differs("b", 3 * MINUTE).action()).isEqualTo(Action.NOTHING);
        assertThat(state.differs("b", 12 * MINUTE).action()).isEqualTo(Action.REBUILD);

        RepairState later = state.proven(2, MINUTE + DAY);
        assertThat(later.rebuilds()).isZero();
        assertThat(later.differs("b", 2 * MINUTE + DAY).action()).isEqualTo(Action.REBUILD);
    }

    /** The clock was days ahead at the rebuild. */
    @Test
    void aClockThatWasSetBackDelaysNoRebuild() {
        RepairState state = RepairState.BEGIN.differs("a", 3 * DAY).next().proven(1, 3 * DAY);
        assertThat(state.differs("b", MINUTE).action()).isEqualTo(Action.REBUILD);
    }

    @Test
    void corruptReplicaDoesNotSuspectTheTopic() {
        RepairState state = RepairState.BEGIN.unreadable("checksum", MINUTE).next();

        assertThat(state.topicSuspected()).isFalse();
        assertThat(state.unreadable("checksum", 20 * MINUTE).next().topicSuspected()).isFalse();
    }
}
