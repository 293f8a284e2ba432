package io.tidemark.query.access;

import static io.tidemark.query.access.RbacCluster.list;
import static io.tidemark.query.access.RbacCluster.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.query.access.MirroredRules.Staleness;
import io.tidemark.query.follow.FollowLimits;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MirroredRulesTest {
    private static final Duration MAXIMUM_AGE = Duration.ofMinutes(5);
    private static final Caller MASTER = new Caller("admin", List.of("system:masters"));

    private final MirroredCluster mirror = new MirroredCluster(4, 100);
    private final RbacCluster cluster = new RbacCluster(mirror);
    private MirroredRules rules = rules(new FollowLimits(1_000, 1 << 20));
    private long nanos;

    private MirroredRules rules(FollowLimits limits) {
        return new MirroredRules(
                mirror, RbacCluster.PREFIX, true, MAXIMUM_AGE, limits, mirror.clock(), () -> nanos);
    }

    @BeforeEach
    void bindAnna() {
        cluster.clusterRole("pod-reader", "pods");
        cluster.bind("blue", "b1", "anna", "pod-reader");
    }

    @Test
    void decidesByTheNewestRules() {
        rules.step();
        assertThat(allows("anna", "pods", "blue")).isTrue();
        assertThat(allows("anna", "pods", "red")).isFalse();

        cluster.unbind("blue", "b1");
        rules.step();
        assertThat(allows("anna", "pods", "blue")).isFalse();
    }

    @Test
    void decidesNothingBeforeAllDirectoriesWereRead() {
        MirroredCluster unlisted = MirroredCluster.notListedYet(2);
        MirroredRules early = new MirroredRules(unlisted, RbacCluster.PREFIX, true, MAXIMUM_AGE);
        early.step();

        assertThatThrownBy(() -> early.decide(user("anna"), list("pods", "blue")))
                .isInstanceOf(AuthorizerUnavailableException.class)
                .hasMessage("the rules have not been read yet");
        assertThat(early.decide(MASTER, list("pods", "blue")).isAllowed()).isTrue();
        assertThat(early.problem()).contains("the rules have not been read yet");
        assertThat(early.missing()).contains("the rules have not been read yet");
        assertThat(early.staleness()).isEmpty();
        assertThat(early.standing().covers(1, 1)).isFalse();
    }

    @Test
    void knowsTheRulesThroughTheSlowestPartition() {
        rules.step();
        int slow = mirror.partitionOf("/registry/rolebindings/blue/");
        long before = mirror.revision();
        mirror.holdBack(slow, true);
        long unbound = cluster.unbind("blue", "b1");
        rules.step();

        // The revocation is not known yet, and the standing says so.
        assertThat(allows("anna", "pods", "blue")).isTrue();
        assertThat(rules.standing().covers(1, before)).isTrue();
        assertThat(rules.standing().covers(1, unbound)).isFalse();

        mirror.holdBack(slow, false);
        rules.step();
        assertThat(rules.standing().covers(1, unbound)).isTrue();
        assertThat(allows("anna", "pods", "blue")).isFalse();
    }

    @Test
    void neverMixesRulesOfTwoRevisions() {
        // The role becomes powerful only after anna has lost it.
        int slow = mirror.partitionOf("/registry/rolebindings/blue/");
        rules.step();
        mirror.holdBack(slow, true);
        cluster.unbind("blue", "b1");
        cluster.clusterRole("pod-reader", "secrets");
        rules.step();
        assertThat(allows("anna", "secrets", "blue")).isFalse();

        mirror.holdBack(slow, false);
        rules.step();
        assertThat(allows("anna", "secrets", "blue")).isFalse();
        assertThat(allows("anna", "pods", "blue")).isFalse();
    }

    @Test
    void movesTheVersionOnlyIfADecisionMayDiffer() {
        rules.step();
        AtomicInteger calls = new AtomicInteger();
        Runnable end = rules.onChange(calls::incrementAndGet);
        Standing before = rules.standing();

        mirror.pod("blue", "p", Map.of());
        mirror.elsewhere(10);
        rules.step();
        assertThat(rules.standing())
                .isEqualTo(new Standing(before.version(), 1, mirror.revision()));
        assertThat(calls).hasValue(0);

        cluster.bind("red", "b2", "anna", "pod-reader");
        cluster.bind("green", "b3", "anna", "pod-reader");
        rules.step();
        assertThat(rules.standing().version()).isGreaterThan(before.version());
        assertThat(calls).hasValue(1);

        end.run();
        cluster.unbind("red", "b2");
        rules.step();
        assertThat(calls).hasValue(1);
    }

    @Test
    void callsThoseWhoWaitForARevisionOnce() {
        rules.step();
        long known = mirror.revision();
        AtomicInteger calls = new AtomicInteger();
        rules.onceCovered(1, known, calls::incrementAndGet);
        assertThat(calls).hasValue(1);

        rules.onceCovered(1, known + 2, calls::incrementAndGet);
        Runnable end = rules.onceCovered(1, known + 2, () -> calls.addAndGet(100));
        mirror.elsewhere(1);
        rules.step();
        assertThat(calls).hasValue(1);
        end.run();
        mirror.elsewhere(1);
        rules.step();
        assertThat(calls).hasValue(2);
        mirror.elsewhere(1);
        rules.step();
        assertThat(calls).hasValue(2);
    }

    @Test
    void coversOlderEpochsWithNewerRules() {
        rules.step();
        AtomicInteger calls = new AtomicInteger();
        rules.onceCovered(1, Long.MAX_VALUE, calls::incrementAndGet);

        mirror.relist(true);
        rules.step();

        assertThat(calls).hasValue(1);
        assertThat(allows("anna", "pods", "blue")).isFalse();
        assertThat(rules.standing().covers(3, 1)).isFalse();
    }

    @Test
    void refusesAllButMastersByRulesThatAreTooOld() {
        rules.step();
        mirror.advance(MAXIMUM_AGE);
        assertThat(allows("anna", "pods", "blue")).isTrue();

        mirror.advance(Duration.ofMillis(1));
        assertThatThrownBy(() -> allows("anna", "pods", "blue"))
                .isInstanceOf(AuthorizerUnavailableException.class)
                .hasMessage("the rules are as of 300 s ago, the limit is 300 s");
        assertThat(rules.decide(MASTER, list("pods", "blue")).isAllowed()).isTrue();
        assertThat(rules.missing()).isEmpty();
        assertThat(rules.staleness()).map(Staleness::isAboveLimit).contains(true);

        mirror.elsewhere(1);
        rules.step();
        assertThat(allows("anna", "pods", "blue")).isTrue();
    }

    /** A connector that takes over knows no time for its first marks. */
    @Test
    void doNotGetOlderByAMarkOfUnknownTime() {
        rules.step();
        mirror.markOfUnknownTime();
        rules.step();
        assertThat(rules.problem()).isEmpty();

        mirror.advance(MAXIMUM_AGE.plusMillis(1));
        mirror.markOfUnknownTime();
        rules.step();
        assertThat(rules.problem()).contains("the rules are as of 300 s ago, the limit is 300 s");
    }

    /** A connector that lists again may begin with an old state, to restore the history. */
    @Test
    void doNotGoBackToAnOlderStateOfANewEpoch() {
        rules.step();
        AtomicInteger calls = new AtomicInteger();
        rules.onceCovered(1, Long.MAX_VALUE, calls::incrementAndGet);

        mirror.relistOlderState();
        rules.step();
        assertThat(allows("anna", "pods", "blue")).as("as before").isTrue();
        assertThat(rules.standing().covers(2, 1)).isFalse();
        assertThat(calls).hasValue(0);

        mirror.elsewhere(1);
        rules.step();
        assertThat(allows("anna", "pods", "blue")).isFalse();
        assertThat(calls).hasValue(1);
    }

    @Test
    void objectsThatCannotBeReadGrantNothing() {
        mirror.raw(Bytes.utf8(RbacCluster.binding("blue", "b1")), new byte[] {'?'}, "no encoding");
        rules.step();

        assertThat(allows("anna", "pods", "blue")).isFalse();
        assertThat(rules.unreadable())
                .containsExactly(
                        Map.entry(new RbacId(RbacKind.ROLE_BINDING, "blue", "b1"), "no encoding"));
        assertThat(rules.problem()).isEmpty();

        cluster.bind("blue", "b1", "anna", "pod-reader");
        rules.step();
        assertThat(allows("anna", "pods", "blue")).isTrue();
        assertThat(rules.unreadable()).isEmpty();
    }

    @Test
    void decidesNothingBeyondItsLimits() {
        rules = rules(new FollowLimits(3, 1 << 20));
        rules.step();
        Standing before = rules.standing();
        AtomicInteger calls = new AtomicInteger();
        rules.onChange(calls::incrementAndGet);

        cluster.bind("red", "b2", "anna", "pod-reader");
        cluster.bind("red", "b3", "anna", "pod-reader");
        rules.step();

        assertThatThrownBy(() -> allows("anna", "pods", "blue"))
                .isInstanceOf(AuthorizerUnavailableException.class)
                .hasMessage("RBAC objects: more than 3 objects");
        assertThat(rules.missing()).contains("RBAC objects: more than 3 objects");
        assertThat(rules.decide(MASTER, list("pods", "blue")).isAllowed()).isTrue();
        assertThat(rules.standing().version()).isGreaterThan(before.version());
        assertThat(calls).hasValue(1);

        cluster.unbind("red", "b3");
        nanos = Duration.ofMinutes(1).toNanos();
        rules.step();
        assertThat(allows("anna", "pods", "red")).isTrue();
        assertThat(calls).hasValue(2);
    }

    @Test
    void namesTheDirectoriesThatAMirrorLacks() {
        assertThat(MirroredRules.missingDirectories(RbacCluster.PREFIX, Bytes.utf8("/registry/")))
                .isEmpty();
        assertThat(MirroredRules.missingDirectories(RbacCluster.PREFIX, Bytes.EMPTY)).isEmpty();
        assertThat(
                        MirroredRules.missingDirectories(
                                RbacCluster.PREFIX, Bytes.utf8("/registry/role")))
                .containsExactly("/registry/clusterroles/", "/registry/clusterrolebindings/");
        assertThat(
                        MirroredRules.missingDirectories(
                                RbacCluster.PREFIX, Bytes.utf8("/registry/pods/")))
                .hasSize(4);
    }

    @Test
    void followsOnItsOwnThread() {
        try (MirroredRules live =
                new MirroredRules(
                        mirror,
                        RbacCluster.PREFIX,
                        false,
                        MAXIMUM_AGE,
                        MirroredRules.LIMITS,
                        mirror.clock(),
                        System::nanoTime)) {
            live.start();
            await().until(() -> live.standing().covers(1, mirror.revision()));
            assertThat(live.decide(user("anna"), list("pods", "blue")).isAllowed()).isTrue();
            assertThat(live.decide(MASTER, list("pods", "blue")).isAllowed()).isFalse();

            long unbound = cluster.unbind("blue", "b1");
            await().until(() -> live.standing().covers(1, unbound));
            assertThat(live.decide(user("anna"), list("pods", "blue")).isAllowed()).isFalse();
        }
    }

    private boolean allows(String name, String resource, String namespace) {
        return rules.decide(user(name), list(resource, namespace)).isAllowed();
    }
}
