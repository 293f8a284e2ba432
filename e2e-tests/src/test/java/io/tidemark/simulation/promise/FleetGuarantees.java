package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The promises about a client's whole life, and about the replicas together. */
public final class FleetGuarantees {
    /** Within this time after a fault's end the replicas equal etcd again. */
    public static final long CONVERGENCE_MILLIS = 5_000;

    private FleetGuarantees() {}

    /** A client that carries its resourceVersion never sees an older state. */
    public static Optional<Violation> monotonic(RecordedClient client) {
        long epoch = 0;
        long carried = 0;
        for (Observation observation : answered(client)) {
            if (observation.epoch() != epoch) {
                carried = 0;
                epoch = observation.epoch();
            }
            long seen = observation.newestRevision();
            if (seen > 0 && seen < carried && carries(observation)) {
                return Optional.of(
                        new Violation(
                                Promise.MONOTONIC,
                                "%s knew %d, then saw %d: %s"
                                        .formatted(client.name(), carried, seen, observation)));
            }
            carried = Math.max(carried, seen);
        }
        return Optional.empty();
    }

    /** Observations that name a revision; a refusal may name none. */
    private static List<Observation> answered(RecordedClient client) {
        return client.observations().stream()
                .filter(observation -> observation.epoch() != 0)
                .toList();
    }

    /**
     * Exact reads read the past on purpose, and reads of any state carry no revision. The initial
     * state of a watch is recorded as a read, too.
     */
    private static boolean carries(Observation observation) {
        return switch (observation) {
            case RecordedWatch watch -> watch.afterRevision().isPresent();
            case RecordedRead read ->
                    switch (read.ask()) {
                        case RequestedFreshness.Now _, RequestedFreshness.AtLeast _ -> true;
                        case RequestedFreshness.Exactly _, RequestedFreshness.Any _ -> false;
                    };
        };
    }

    /** No watch mixes epochs, and no client falls back to an older one. */
    public static Optional<Violation> noTimeTravel(RecordedClient client) {
        long epoch = 0;
        for (Observation observation : answered(client)) {
            if (observation.epoch() < epoch) {
                return Optional.of(
                        new Violation(
                                Promise.NO_TIME_TRAVEL,
                                "%s was in epoch %d, then: %s"
                                        .formatted(client.name(), epoch, observation)));
            }
            epoch = observation.epoch();
            if (observation instanceof RecordedWatch watch) {
                for (Received.Event event : watch.events()) {
                    if (event.epoch() != epoch) {
                        return Optional.of(
                                new Violation(
                                        Promise.NO_TIME_TRAVEL,
                                        "%s: %s is of epoch %d"
                                                .formatted(watch, event, event.epoch())));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** After the faults, a replica has etcd's revision and holds what etcd holds. */
    public static Optional<Violation> convergent(RecordedReplica replica, EpochHistory truth) {
        if (replica.millisSinceLastFault() < CONVERGENCE_MILLIS) {
            return Optional.empty();
        }
        if (replica.epoch() != truth.epoch() || replica.watermark() != truth.revision()) {
            return Optional.of(
                    new Violation(
                            Promise.CONVERGENT,
                            "%s is at %d of epoch %d, etcd at %d of %d"
                                    .formatted(
                                            replica.name(),
                                            replica.watermark(),
                                            replica.epoch(),
                                            truth.revision(),
                                            truth.epoch())));
        }
        return ReadGuarantees.sameState(
                        replica.items(), truth, replica.interest(), replica.watermark())
                .map(difference ->
                        new Violation(Promise.CONVERGENT, replica.name() + ": " + difference));
    }

    /** It has the whole window, every change of it once. */
    public static Optional<Violation> window(RecordedReplica replica, EpochHistory truth) {
        if (replica.floor() > replica.floorAllowed()) {
            return Optional.of(
                    new Violation(
                            Promise.WINDOW,
                            "%s begins at %d, it should at %d"
                                    .formatted(
                                            replica.name(),
                                            replica.floor(),
                                            replica.floorAllowed())));
        }
        List<Received.Event> expected =
                truth.expected(replica.interest(), replica.floor(), replica.watermark());
        List<Received.Event> sure =
                replica.history().stream()
                        .filter(event -> !truth.isInInexactGap(event.revision()))
                        .toList();
        if (inOneOrder(sure, truth).equals(inOneOrder(expected, truth))) {
            return GapGuarantees.checkInexactGaps(asWatch(replica), truth)
                    .map(wrong -> new Violation(Promise.WINDOW, wrong.toString()));
        }
        return Optional.of(
                new Violation(
                        Promise.WINDOW,
                        "%s has %d changes after %d, not %d; missing: %s; extra: %s"
                                .formatted(
                                        replica.name(),
                                        sure.size(),
                                        replica.floor(),
                                        expected.size(),
                                        without(expected, sure),
                                        without(sure, expected))));
    }

    /** Inside a revision of a bridged gap there is none. */
    private static List<Received.Event> inOneOrder(
            List<Received.Event> events, EpochHistory truth) {
        List<Received.Event> sorted = new ArrayList<>(events);
        for (int i = 0; i < sorted.size(); ) {
            long revision = sorted.get(i).revision();
            int end = i + 1;
            while (end < sorted.size() && sorted.get(end).revision() == revision) {
                end++;
            }
            if (truth.isInGap(revision)) {
                sorted.subList(i, end).sort(Comparator.comparing(Received.Event::key));
            }
            i = end;
        }
        return sorted;
    }

    /** A filter that matches everything a replica holds. */
    private static RecordedWatch asWatch(RecordedReplica replica) {
        RecordedWatch watch =
                new RecordedWatch(
                        replica.epoch(),
                        replica.mirrorEpoch(),
                        replica.interest(),
                        OptionalLong.of(replica.floor()),
                        replica.floor());
        replica.history().forEach(watch::add);
        return watch.add(new Received.Bookmark(replica.watermark(), false));
    }

    /** The first few of one list that are not in the other, in full. */
    private static List<String> without(List<Received.Event> these, List<Received.Event> those) {
        Set<Received.Event> known = new HashSet<>(those);
        return these.stream()
                .filter(event -> !known.contains(event))
                .limit(3)
                .map(event -> event + " " + event.shown())
                .toList();
    }

    /** No bounded resource was ever above its bound. */
    public static Optional<Violation> bounded(RecordedPeak bound) {
        return bound.highest() > bound.limit()
                ? Optional.of(
                        new Violation(
                                Promise.BOUNDED,
                                "%s reached %d of %d"
                                        .formatted(bound.what(), bound.highest(), bound.limit())))
                : Optional.empty();
    }
}
