package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.model.ReferenceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks all promises over everything that was recorded. */
public final class Guarantees {
    private final ReferenceModel model;
    private final long slackMillis;
    private final List<Violation> violations = new ArrayList<>();
    private long checked;

    /**
     * @param slackMillis what a read may take beyond its wait: its own delays in the simulation
     */
    public Guarantees(ReferenceModel model, long slackMillis) {
        this.model = model;
        this.slackMillis = slackMillis;
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    public Guarantees check(RecordedClient client) {
        note(FleetGuarantees.monotonic(client));
        note(FleetGuarantees.noTimeTravel(client));
        client.watches().forEach(this::check);
        client.reads().forEach(this::check);
        client.decisions()
                .forEach(decision -> note(AccessGuarantees.authorized(decision, model.rights())));
        client.brokenRights()
                .forEach(late -> note(Optional.of(new Violation(Promise.AUTHORIZED, late))));
        return this;
    }

    public Guarantees check(RecordedWatch watch) {
        if (!known(watch)) {
            return this;
        }
        EpochHistory truth = truth(watch);
        note(AccessGuarantees.hidesSecrets(watch));
        note(WatchGuarantees.ordered(watch));
        note(WatchGuarantees.unique(watch));
        note(WatchGuarantees.reliable(watch, truth));
        note(WatchGuarantees.atomic(watch, truth));
        note(WatchGuarantees.resumable(watch, truth));
        note(WatchGuarantees.bookmarkable(watch, truth));
        note(WatchGuarantees.filtered(watch, truth));
        note(GapGuarantees.checkInexactGaps(watch, truth));
        note(WatchGuarantees.bookmarked(watch));
        note(WatchGuarantees.linearizable(watch));
        note(WatchGuarantees.initialFirst(watch));
        note(initialState(watch, truth));
        return this;
    }

    /** A watch that begins with the state sends the same state as one LIST. */
    private static Optional<Violation> initialState(RecordedWatch watch, EpochHistory truth) {
        if (watch.afterRevision().isPresent() || watch.start().isEmpty()) {
            return Optional.empty();
        }
        List<Item> items =
                watch.received().stream()
                        .filter(Received.Initial.class::isInstance)
                        .map(next -> ((Received.Initial) next).item())
                        .toList();
        return ReadGuarantees.sameState(items, truth, watch.interest(), watch.start().getAsLong())
                .map(detail -> new Violation(Promise.SNAPSHOT, watch + ": " + detail));
    }

    public Guarantees check(RecordedRead read) {
        note(ReadGuarantees.notOlderThan(read));
        note(ReadGuarantees.bounded(read, slackMillis));
        if (!(read.answer() instanceof RecordedRead.Answer.Listed) && read.epoch() == 0) {
            return this;
        }
        if (!known(read)) {
            return this;
        }
        EpochHistory truth = truth(read);
        note(AccessGuarantees.hidesSecrets(read));
        note(ReadGuarantees.linearizable(read));
        note(ReadGuarantees.snapshot(read, truth));
        note(ReadGuarantees.honest(read, truth));
        return this;
    }

    public Guarantees check(RecordedReplica replica) {
        if (replica.epoch() != 0) {
            EpochHistory truth = model.epoch(replica.epoch()).mirroredIn(replica.mirrorEpoch());
            note(FleetGuarantees.window(replica, truth));
        }
        note(FleetGuarantees.convergent(replica, model.current()));
        return this;
    }

    public Guarantees check(RecordedPeak bound) {
        note(FleetGuarantees.bounded(bound));
        return this;
    }

    private EpochHistory truth(Observation observation) {
        return model.epoch(observation.epoch()).mirroredIn(observation.mirrorEpoch());
    }

    private boolean known(Observation observation) {
        if (model.hasEpoch(observation.epoch())) {
            return true;
        }
        violations.add(
                new Violation(Promise.NO_TIME_TRAVEL, observation + ": there is no such epoch"));
        return false;
    }

    /** How many predicates were checked. */
    public long checked() {
        return checked;
    }

    private void note(Optional<Violation> violation) {
        checked++;
        violation.ifPresent(violations::add);
    }
}
