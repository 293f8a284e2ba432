package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.lead.Resignation.Advice;
import io.tidemark.connector.lead.Resignation.Role;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResignationTest {
    private static final Resignation RESIGNATION = Resignation.DEFAULT;

    @Test
    void nobodyLeavesForAShortTrouble() {
        for (Role role : Role.values()) {
            assertThat(RESIGNATION.advice(role, Duration.ofMillis(2_999))).isEqualTo(Advice.STAY);
        }
    }

    @Test
    void standbysAreGoneBeforeTheLeaderLooksForOne() {
        Duration between = RESIGNATION.leaderAfter().minusMillis(1);
        assertThat(RESIGNATION.advice(Role.STANDBY, between)).isEqualTo(Advice.LEAVE);
        assertThat(RESIGNATION.advice(Role.LEADER, between)).isEqualTo(Advice.STAY);
        assertThat(RESIGNATION.advice(Role.LEADER, RESIGNATION.leaderAfter()))
                .isEqualTo(Advice.LEAVE_TO_OTHERS);
        assertThatThrownBy(() -> new Resignation(Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasYetToHearWhatItIsStays() {
        assertThat(RESIGNATION.advice(Role.JOINING, Duration.ofHours(1))).isEqualTo(Advice.STAY);
    }

    @Test
    void whoLeftComesBackOnlyOnceEtcdAnswers() {
        assertThat(RESIGNATION.mayStand(Duration.ofSeconds(5))).isFalse();
        assertThat(RESIGNATION.mayStand(Duration.ZERO)).isTrue();
    }

    @Test
    void etcdIsLostFromTheFirstQuestionWithoutAnAnswer() {
        Reach reach = new Reach();
        assertThat(reach.lost(Long.MAX_VALUE)).isZero();
        reach.asked(1_000);
        reach.answered();
        assertThat(reach.lost(1_000_000)).isZero();
        reach.asked(2_000);
        reach.asked(3_000);
        assertThat(reach.lost(5_000)).isEqualTo(Duration.ofNanos(3_000));
        reach.answered();
        assertThat(reach.lost(6_000)).isZero();
    }

    @Test
    void absencesGetLongerUntilOneHasStoodForLong() {
        Absence absence = new Absence();
        Duration brief = Duration.ofSeconds(10);
        assertThat(absence.after(brief, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(absence.after(brief, 0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(absence.after(brief, 1)).isEqualTo(Duration.ofSeconds(4));
        for (int i = 0; i < 10; i++) {
            assertThat(absence.after(brief, 1)).isLessThanOrEqualTo(Duration.ofMinutes(1));
        }
        assertThat(absence.after(brief, 0)).isEqualTo(Duration.ofSeconds(30));
        assertThat(absence.after(Duration.ofHours(1), 1)).isEqualTo(Duration.ofSeconds(1));
    }
}
