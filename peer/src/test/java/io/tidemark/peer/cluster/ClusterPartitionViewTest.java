package io.tidemark.peer.cluster;

import static io.tidemark.peer.cluster.TestReplica.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterPartitionViewTest {
    private final TestReplica local = new TestReplica();
    private final TestReplica active = new TestReplica();
    private final TestReplica standby = new TestReplica();
    private final AtomicLong nanos = new AtomicLong();
    private final ClusterPartitionView view = new ClusterPartitionView(0, 0, nanos::get);

    @Test
    void hasTheStateOfTheBestReplica() {
        AtomicInteger notified = new AtomicInteger();
        view.onChange(notified::incrementAndGet);
        view.setCopies(List.of(local, active, standby));
        assertThat(view.state()).isEqualTo(PartitionState.EMPTY);
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 3, 18)).show();
        assertThat(view.state()).isEqualTo(at(1, 5, 20));
        assertThat(notified).hasValue(1);
        active.die();
        active.show();
        assertThat(view.state()).isEqualTo(at(1, 3, 18));
        view.setCopies(List.of(local));
        assertThat(view.state()).isEqualTo(PartitionState.EMPTY);
    }

    @Test
    void takesRecentChangesOfTheFirstReplicaThatHasAllOfThem() {
        Optional<ChangePage> page = Optional.of(new ChangePage(List.of(), 20));
        local.become(at(1, 5, 19)).show().recent = Optional.of(new ChangePage(List.of(), 19));
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 20)).show().recent = page;
        view.setCopies(List.of(local, active, standby));
        assertThat(view.recentChanges(1, changes(10, 20))).isEqualTo(page);
        assertThat(view.recentChanges(1, changes(10, 19))).isEqualTo(local.recent);
        assertThat(view.recentChanges(2, changes(10, 20))).isEmpty();
        assertThat(local.asked + active.asked + standby.asked).isZero();
    }

    @Test
    void takesNoRecentChangesOfAnOlderEpoch() {
        local.become(at(1, 5, 20)).show().recent = Optional.of(new ChangePage(List.of(), 20));
        active.become(at(2, 5, 8)).show();
        view.setCopies(List.of(local, active));
        assertThat(view.recentChanges(1, changes(10, 20))).isEmpty();
    }

    private static ChangesRequest changes(long after, long through) {
        return new ChangesRequest(Bytes.EMPTY, after, through, 10, 1 << 20);
    }

    @Test
    void prefersTheLocalReplica() {
        local.become(at(1, 5, 20)).show();
        active.become(at(1, 5, 20)).show();
        view.setCopies(List.of(local, active));
        assertServed(20, 1);
        active.become(at(1, 5, 21)).show();
        assertServed(21, 1);
        assertThat(local.asked).isEqualTo(1);
        assertThat(active.asked).isEqualTo(1);
    }

    @Test
    void asksAnotherReplicaWhenOneHasGone() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.die();
        assertServed(20, 1);
        standby.die();
        active.live();
        assertServed(20, 1);
        active.die();
        assertThat(get(20)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    @Test
    void asksALaggingReplicaLast() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 10)).show();
        view.setCopies(List.of(local, standby, active));
        assertServed(15, 1);
        assertThat(standby.asked).isZero();
    }

    @Test
    void asksOthersForATimeBelowTheNewestReplicasFloor() {
        local.become(at(1, 15, 20)).show();
        active.become(at(1, 5, 18)).show();
        standby.become(at(1, 10, 20)).show();
        view.setCopies(List.of(local, active, standby));
        assertThat(revisionAt(7)).isEqualTo(new RevisionAtTime(OptionalLong.of(7), true, 5));
        assertThat(revisionAt(3).revision()).isEmpty();
        active.asked = 0;
        assertThat(revisionAt(19).revision()).hasValue(19);
        assertThat(active.asked).isZero();
    }

    @Test
    void asksAReplicaOnALeavingNodeAfterOthersThatCanAnswer() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 19)).show();
        view.setCopies(List.of(local, active, standby));
        active.leave();
        assertServed(19, 1);
        assertThat(active.asked).isZero();
        assertServed(20, 1);
        assertThat(active.asked).isEqualTo(1);
        assertThat(view.state()).isEqualTo(at(1, 5, 20));
    }

    @Test
    void usesALowerFloorElsewhere() {
        active.become(at(1, 15, 20)).show();
        standby.become(at(1, 5, 20)).show();
        view.setCopies(List.of(local, active, standby));
        assertServed(10, 1);
        assertThat(get(4)).isInstanceOf(ReadOutcome.Expired.class);
    }

    @Test
    void answersTooNewWhenALaggingReplicaMayServeSoon() {
        active.become(at(1, 15, 20)).show();
        standby.become(at(1, 5, 9)).show();
        view.setCopies(List.of(local, active, standby));
        assertThat(get(10)).isInstanceOf(ReadOutcome.TooNew.class);
    }

    /** Its disk is full, or the next record is of a newer format. */
    @Test
    void aReplicaThatHasStoppedDelaysExpiryForAGracePeriodOnly() {
        active.become(at(1, 15, 20)).show();
        standby.become(at(1, 5, 9)).show();
        view.setCopies(List.of(local, active, standby));
        assertThat(get(10)).isInstanceOf(ReadOutcome.TooNew.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos() - 1);
        assertThat(get(10)).isInstanceOf(ReadOutcome.TooNew.class);
        nanos.incrementAndGet();
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
        standby.become(PartitionState.EMPTY).show();
        standby.become(at(1, 5, 9)).show();
        assertThat(get(10)).as("reconnected").isEqualTo(new ReadOutcome.Expired<>(15));
        assertServed(9, 1);
        standby.become(at(1, 5, 10)).show();
        assertThat(get(11)).as("it reads on").isInstanceOf(ReadOutcome.TooNew.class);
    }

    @Test
    void aReplicaThatHasStoppedIsTooNewWhileNoneHasExpired() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 9)).show();
        view.setCopies(List.of(local, active, standby));
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        active.die();
        assertThat(get(10)).isEqualTo(new ReadOutcome.TooNew<>(9));
    }

    /** A reader at the watermark of a replica that has stopped gets an empty page from it. */
    @Test
    void aPageWithoutProgressDelaysExpiryForAGracePeriodOnly() {
        ReadOutcome<ChangePage> noProgress = new ReadOutcome.Served<>(new ChangePage(List.of(), 9));
        active.become(at(1, 15, 20)).show();
        standby.become(at(1, 5, 9)).show();
        view.setCopies(List.of(local, active, standby));
        assertThat(view.read(changes(9, 20))).isEqualTo(noProgress);
        assertThat(active.asked).isEqualTo(1);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        assertThat(view.read(changes(9, 20))).isEqualTo(new ReadOutcome.Expired<>(15));
        assertThat(view.read(changes(5, 20)))
                .isEqualTo(new ReadOutcome.Served<>(new ChangePage(List.of(), 9)));
        assertThat(view.read(changes(20, 21)))
                .as("there is no more")
                .isEqualTo(new ReadOutcome.Served<>(new ChangePage(List.of(), 20)));
    }

    @Test
    void asksAnotherReplicaAfterAPageWithoutProgress() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 20)).show().become(at(1, 5, 9));
        view.setCopies(List.of(local, standby, active));
        assertThat(view.read(changes(9, 20)))
                .isEqualTo(new ReadOutcome.Served<>(new ChangePage(List.of(), 20)));
        assertThat(standby.asked).isEqualTo(1);
    }

    @Test
    void isUnavailableUntilTheReplicaWithALowerFloorHasGone() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        assertThat(get(4)).isInstanceOf(ReadOutcome.Expired.class);
        active.live();
        assertServed(10, 1);
        active.die();
        active.show();
        assertThat(view.state().floor()).isEqualTo(15);
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
    }

    @Test
    void lowerFloorMayBeOnALaggingReplica() {
        active.become(at(1, 15, 20)).show();
        standby.become(at(1, 5, 18)).show();
        view.setCopies(List.of(local, active, standby));
        standby.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    @Test
    void unresponsiveReplicaDelaysExpiryForAGracePeriodOnly() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos() - 1);
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.incrementAndGet();
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
        active.live();
        assertServed(10, 1);
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    /** A group whose nodes come and go would delay it without a bound. */
    @Test
    void otherReplicasThatComeAndGoDoNotProlongAGracePeriod() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(active, standby));
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        view.setCopies(List.of(local, active, standby));
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
    }

    @Test
    void listensToEachReplicaOnceWhileItStays() {
        AtomicInteger notified = new AtomicInteger();
        view.onChange(notified::incrementAndGet);
        view.setCopies(List.of(local, active));
        view.setCopies(List.of(local, active, standby));
        active.become(at(1, 5, 20)).show();
        assertThat(notified).hasValue(1);
        view.setCopies(List.of(local, standby));
        assertThat(active.listeners()).isZero();
        assertThat(standby.listeners()).isEqualTo(1);
    }

    @Test
    void failuresOfThisNodeAreNoSilenceOfTheReplica() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.refuseHere(true);
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        active.refuseHere(false);
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    @Test
    void aSilenceOfLongAgoDoesNotCountWhileThisNodeCannotAsk() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        active.refuseHere(true);
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
        nanos.addAndGet(TrackedReplica.OUTDATED.toNanos());
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    /** It may have answered in between, had it been asked. */
    @Test
    void anUnansweredReadOfLongAgoDoesNotCount() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 15, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.die();
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.OUTDATED.toNanos());
        assertThat(get(10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        nanos.addAndGet(TrackedReplica.UNRESPONSIVE_GRACE_PERIOD.toNanos());
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(15));
    }

    @Test
    void expiredRevisionIsBelowTheFloorShownAfterwards() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 6, 19)).show();
        view.setCopies(List.of(local, active, standby));
        active.become(at(1, 15, 30));
        standby.become(at(1, 12, 29));
        assertThat(get(10)).isEqualTo(new ReadOutcome.Expired<>(12));
        assertThat(view.state()).isEqualTo(at(1, 15, 30));
        assertServed(12, 1);
        active.become(at(1, 16, 31)).show();
        assertThat(view.state()).isEqualTo(at(1, 16, 31));
        active.become(PartitionState.EMPTY).show();
        assertThat(view.state()).isEqualTo(at(1, 12, 29));
    }

    @Test
    void neverReturnsToAnOlderEpoch() {
        active.become(at(2, 5, 8)).show();
        standby.become(at(1, 5, 20)).show();
        view.setCopies(List.of(local, active, standby));
        assertThat(view.state()).isEqualTo(at(2, 5, 8));
        active.die();
        active.show();
        assertThat(view.state().ready()).isFalse();
        assertThat(view.state().epoch()).isEqualTo(2);
        assertThat(view.state().watermark()).as("of this epoch, not of the standby's").isZero();
        assertThat(get(8)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        standby.become(at(2, 5, 7)).show();
        assertThat(view.state()).isEqualTo(at(2, 5, 7));
    }

    @Test
    void noticesAnEpochThatBeginsDuringARead() {
        active.become(at(1, 5, 20)).show();
        standby.become(at(1, 5, 20)).show();
        view.setCopies(List.of(local, active, standby));
        active.become(at(2, 5, 30));
        standby.become(at(2, 5, 30));
        assertThat(get(20)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        assertThat(view.state().epoch()).isEqualTo(2);
    }

    /** Replicas in random states: an answer always has the requested epoch and revision. */
    @ParameterizedTest
    @MethodSource("seeds")
    void neverServesAnotherEpochOrRevision(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TestReplica> replicas = List.of(local, active, standby);
        view.setCopies(replicas);
        long epochSeen = 0;
        for (int step = 0; step < 400; step++) {
            TestReplica replica = replicas.get(random.nextInt(replicas.size()));
            switch (random.nextInt(10)) {
                case 0 -> replica.die();
                case 1 -> replica.live();
                case 2 -> replica.become(at(replica.actual().epoch() + random.nextInt(2), 3, 10));
                case 3, 4 -> replica.become(advanced(replica.actual(), random));
                case 5 -> view.setCopies(someOf(replicas, random));
                default -> replica.show();
            }
            PartitionState state = view.state();
            assertThat(state.epoch() == 0 || state.epoch() >= epochSeen).isTrue();
            epochSeen = Math.max(epochSeen, state.epoch());
            long revision = random.nextLong(30);
            if (get(revision) instanceof ReadOutcome.Expired<Optional<StoredObject>>
                    && view.state().ready()) {
                // No revision at or above the floor ever expires.
                assertThat(view.state().floor()).isGreaterThan(revision);
            }
            if (state.ready()
                    && get(revision)
                            instanceof
                            ReadOutcome.Served<Optional<StoredObject>>(
                                    Optional<StoredObject> object)) {
                // As readers do: an answer counts only if the epoch has not changed.
                if (view.state().epoch() == state.epoch()) {
                    assertThat(object).contains(TestReplica.object(state.epoch(), revision));
                }
            }
        }
    }

    private static PartitionState advanced(PartitionState state, SplittableRandom random) {
        long floor = state.floor() + random.nextInt(2);
        return at(
                Math.max(1, state.epoch()),
                floor,
                Math.max(floor, state.watermark() + random.nextInt(4)));
    }

    private static List<TestReplica> someOf(List<TestReplica> replicas, SplittableRandom random) {
        List<TestReplica> some = new ArrayList<>(replicas);
        while (some.size() > 1 && random.nextBoolean()) {
            some.removeLast();
        }
        return some;
    }

    static long[] seeds() {
        long[] seeds = new SplittableRandom(11).longs(60).toArray();
        seeds[0] = Long.getLong("tidemark.seed", seeds[0]);
        return seeds;
    }

    private ReadOutcome<Optional<StoredObject>> get(long revision) {
        return view.read(new GetRequest(Bytes.utf8("key"), revision));
    }

    private RevisionAtTime revisionAt(long timeMillis) {
        return ((ReadOutcome.Served<RevisionAtTime>) view.read(new RevisionAtRequest(timeMillis)))
                .value();
    }

    private void assertServed(long revision, long epoch) {
        assertThat(get(revision))
                .isEqualTo(
                        new ReadOutcome.Served<>(Optional.of(TestReplica.object(epoch, revision))));
    }
}
