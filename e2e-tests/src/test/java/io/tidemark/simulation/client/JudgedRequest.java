package io.tidemark.simulation.client;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.query.access.Permit;
import io.tidemark.query.access.RulesWait;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.ModelState;
import io.tidemark.simulation.node.NodeAccess;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.promise.ReadGuarantees;
import io.tidemark.simulation.promise.RecordedDecision;
import io.tidemark.simulation.world.CoverageEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client as one node judges it. Records each decision: what was refused, and for
 * which states the node answered. In a world without limited rights everything is allowed.
 */
final class JudgedRequest {
    private static final Duration PATIENCE = Duration.ofMillis(ReadGuarantees.WAIT_MILLIS);

    private final World world;
    private final SimulatedClient client;
    private final List<Demand> demands;
    private final Optional<NodeAccess> access;
    private Permit permit = Permit.EVERYTHING;
    private @Nullable PartitionSetStatus known;
    private @Nullable RulesWait wait;

    JudgedRequest(World world, SimulatedClient client, NodeApi api, List<Demand> demands) {
        this.world = world;
        this.client = client;
        this.demands = demands;
        this.access = api.access();
    }

    /**
     * The request has arrived at the node.
     *
     * @param newest the state of its partitions that the node knows
     * @return whether it is allowed; if not, it was answered 403 or 503
     */
    boolean admit(PartitionSetStatus newest) {
        known = newest;
        if (access.isEmpty()) {
            return true;
        }
        try {
            permit = access.get().admit(client.identity(), demands);
            world.scheduler().count(CoverageEvent.REQUESTS_ALLOWED);
            return true;
        } catch (StatusException e) {
            refused(e, CoverageEvent.REQUESTS_FORBIDDEN);
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its right. */
    Permit permit() {
        return permit;
    }

    /**
     * Its state has arrived; afterwards this is called until it returns true.
     *
     * @return whether the rules as of it allow the answer
     * @throws Refused when the answer is 403, or the rules did not come
     */
    boolean mayShow(ReadPoint at) throws Refused {
        if (permit == Permit.EVERYTHING) {
            return true;
        }
        if (wait == null) {
            wait = new RulesWait(permit, known, at, PATIENCE, world.scheduler()::nowNanos);
        }
        try {
            boolean may = wait.poll();
            if (may) {
                shows("the state known at arrival", known.epoch(), known.watermark());
                shows("a state", at.epoch(), at.revision());
            } else {
                world.scheduler().count(CoverageEvent.RULES_AWAITED);
            }
            return may;
        } catch (StatusException e) {
            refused(e, CoverageEvent.REQUESTS_FORBIDDEN_LATER);
            throw new Refused();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** It was refused, and {@link #refused} has recorded that. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The client gets what needs rules as new as a revision. */
    void shows(String what, long epoch, long revision) {
        if (permit != Permit.EVERYTHING) {
            state(epoch, revision).ifPresent(from -> record(what, true, from));
        }
    }

    /**
     * The node refused it by its rules, or by the lack of them.
     *
     * @param forbidden counts a 403
     */
    void refused(StatusException e, CoverageEvent forbidden) {
        switch (e.status().code()) {
            case 403 -> {
                world.scheduler().count(forbidden);
                Standing rules = access.orElseThrow().standing();
                record("a 403", false, state(rules.epoch(), rules.through()).orElseThrow());
            }
            case 503 -> world.scheduler().count(CoverageEvent.REQUESTS_NOT_JUDGED);
            case 504 -> world.scheduler().count(CoverageEvent.RULES_LATE);
            default -> throw new IllegalStateException(e);
        }
    }

    /** Empty for an epoch without a history, as before the first list. */
    private Optional<ModelState> state(long epoch, long revision) {
        long history = world.epochs().historyOf(epoch);
        return history == 0 ? Optional.empty() : Optional.of(new ModelState(history, revision));
    }

    private void record(String what, boolean allowed, ModelState from) {
        ModelState to =
                allowed
                        ? new ModelState(world.etcd().historyNumber(), world.etcd().revision())
                        : from;
        client.record()
                .add(new RecordedDecision(what, client.identity(), demands, allowed, from, to));
    }
}
