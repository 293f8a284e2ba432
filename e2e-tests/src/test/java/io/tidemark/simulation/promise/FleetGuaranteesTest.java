package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The promises about clients' lives and about replicas accept correct histories and detect
 * violations.
 */
class FleetGuaranteesTest extends ModelFixture {
    private final EpochHistory truth = truth();

    @Test
    void aClientThatOnlyGoesForwardIsMonotonic() {
        assertThat(
                        FleetGuarantees.monotonic(
                                client(
                                        read(1, new RequestedFreshness.Now(), 4),
                                        read(1, new RequestedFreshness.AtLeast(4), 4),
                                        read(1, new RequestedFreshness.AtLeast(4), 6))))
                .isEmpty();
    }

    @Test
    void anOlderAnswerBreaksMonotonic() {
        assertThat(
                        FleetGuarantees.monotonic(
                                client(
                                        read(1, new RequestedFreshness.Now(), 6),
                                        read(1, new RequestedFreshness.AtLeast(4), 4))))
                .isPresent();
    }

    @Test
    void exactReadsOfOldRevisionsAreMonotonic() {
        assertThat(
                        FleetGuarantees.monotonic(
                                client(
                                        read(1, new RequestedFreshness.Now(), 6),
                                        read(1, new RequestedFreshness.Exactly(3), 3),
                                        read(1, new RequestedFreshness.Any(), 4))))
                .isEmpty();
    }

    @Test
    void aNewEpochMayBeginLower() {
        RecordedClient client =
                client(
                        read(1, new RequestedFreshness.Now(), 6),
                        read(2, new RequestedFreshness.Now(), 4));
        assertThat(FleetGuarantees.monotonic(client)).isEmpty();
        assertThat(FleetGuarantees.noTimeTravel(client)).isEmpty();
    }

    @Test
    void readingAnOlderEpochBreaksNoTimeTravel() {
        assertThat(
                        FleetGuarantees.noTimeTravel(
                                client(
                                        read(2, new RequestedFreshness.Now(), 4),
                                        read(1, new RequestedFreshness.Now(), 6))))
                .isPresent();
    }

    @Test
    void anEventOfAnotherEpochBreaksNoTimeTravel() {
        RecordedWatch watch = new RecordedWatch(1, PODS, OptionalLong.of(1), 1);
        watch.add(
                new Received.Event(
                        2, EventType.ADDED, 2, key("a"), payload("a", "web", 2).shown()));
        assertThat(FleetGuarantees.noTimeTravel(client(watch))).isPresent();
    }

    @Test
    void aReplicaEqualToEtcdIsConvergent() {
        assertThat(FleetGuarantees.convergent(replica(7, item("b", "db", 7)), truth)).isEmpty();
    }

    @Test
    void aReplicaThatLagsOrDiffersBreaksConvergent() {
        assertThat(FleetGuarantees.convergent(replica(6, item("b", "web", 5)), truth)).isPresent();
        assertThat(
                        FleetGuarantees.convergent(
                                replica(7, item("a", "web", 4), item("b", "db", 7)), truth))
                .isPresent();
    }

    @Test
    void aReplicaWithAllChangesSinceItsFloorKeepsTheWindow() {
        assertThat(FleetGuarantees.window(remembering(4, truth.expected(PODS, 4, 7), 4), truth))
                .isEmpty();
    }

    @Test
    void aMissingChangeBreaksTheWindow() {
        assertThat(FleetGuarantees.window(remembering(5, truth.expected(PODS, 5, 7), 4), truth))
                .isPresent();
        assertThat(FleetGuarantees.window(remembering(4, truth.expected(PODS, 5, 7), 4), truth))
                .isPresent();
    }

    @Test
    void exceedingALimitBreaksBounded() {
        assertThat(FleetGuarantees.bounded(new RecordedPeak("page", 10, 10))).isEmpty();
        assertThat(FleetGuarantees.bounded(new RecordedPeak("page", 11, 10))).isPresent();
    }

    private static RecordedClient client(Observation... observations) {
        RecordedClient client = new RecordedClient("client");
        for (Observation observation : observations) {
            client.add(observation);
        }
        return client;
    }

    private static RecordedRead read(long epoch, RequestedFreshness ask, long revision) {
        return new RecordedRead(
                epoch, PODS, ask, new Answer.Listed(revision, List.of(), 0), 0, 10, 0, false);
    }

    private static RecordedReplica replica(long watermark, Item... items) {
        return new RecordedReplica(
                "replica", 1, 1, watermark, 5_000, List.of(items), List.of(), PODS, 1);
    }

    private static RecordedReplica remembering(
            long floor, List<Received.Event> history, long floorAllowed) {
        return new RecordedReplica(
                "replica", 1, floor, 7, 0, List.of(), history, PODS, floorAllowed);
    }
}
