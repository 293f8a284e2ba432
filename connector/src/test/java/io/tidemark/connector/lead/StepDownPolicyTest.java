package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.lead.StepDownPolicy.Advice;
import io.tidemark.connector.lead.StepDownPolicy.Role;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StepDownPolicyTest {
    private static final StepDownPolicy POLICY = StepDownPolicy.DEFAULT;

    @Test
    void allMembersStayDuringAShortOutage() {
        for (Role role : Role.values()) {
            assertThat(POLICY.advice(role, Duration.ofMillis(2_999))).isEqualTo(Advice.STAY);
        }
    }

    @Test
    void standbysLeaveBeforeTheLeader() {
        Duration between = POLICY.leaderAfter().minusMillis(1);
        assertThat(POLICY.advice(Role.STANDBY, between)).isEqualTo(Advice.LEAVE);
        assertThat(POLICY.advice(Role.LEADER, between)).isEqualTo(Advice.STAY);
        assertThat(POLICY.advice(Role.LEADER, POLICY.leaderAfter()))
                .isEqualTo(Advice.LEAVE_IF_OTHERS_REMAIN);
        assertThatThrownBy(() -> new StepDownPolicy(Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aJoiningMemberStays() {
        assertThat(POLICY.advice(Role.JOINING, Duration.ofHours(1))).isEqualTo(Advice.STAY);
    }

    @Test
    void rejoinsOnlyOnceEtcdAnswers() {
        assertThat(POLICY.mayRejoin(Duration.ofSeconds(5))).isFalse();
        assertThat(POLICY.mayRejoin(Duration.ZERO)).isTrue();
    }

    @Test
    void measuresFromTheFirstUnansweredRequest() {
        EtcdReachability reach = new EtcdReachability();
        assertThat(reach.unreachableFor(Long.MAX_VALUE)).isZero();
        reach.asked(1_000);
        reach.answered();
        assertThat(reach.unreachableFor(1_000_000)).isZero();
        reach.asked(2_000);
        reach.asked(3_000);
        assertThat(reach.unreachableFor(5_000)).isEqualTo(Duration.ofNanos(3_000));
        reach.answered();
        assertThat(reach.unreachableFor(6_000)).isZero();
    }

    @Test
    void backoffDoublesUntilALongMembership() {
        RejoinBackoff backoff = new RejoinBackoff(ElectionTiming.DEFAULT.rejoin());
        Duration brief = Duration.ofSeconds(10);
        assertThat(backoff.after(brief, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.after(brief, 0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.after(brief, 1)).isEqualTo(Duration.ofSeconds(4));
        for (int i = 0; i < 10; i++) {
            assertThat(backoff.after(brief, 1)).isLessThanOrEqualTo(Duration.ofMinutes(1));
        }
        assertThat(backoff.after(brief, 0)).isEqualTo(Duration.ofSeconds(30));
        assertThat(backoff.after(Duration.ofHours(1), 1)).isEqualTo(Duration.ofSeconds(1));
    }
}
