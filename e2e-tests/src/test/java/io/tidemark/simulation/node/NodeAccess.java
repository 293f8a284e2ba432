package io.tidemark.simulation.node;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.access.Permit;
import io.tidemark.query.audit.RequestAudit;
import io.tidemark.query.follow.FollowerTurns;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.access.AccessRequest;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.PartitionDirectory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A node's rules, which it follows in virtual time, and its judgement of requests by them. */
public final class NodeAccess {
    /** Shorter than a run, so that rules get too old when the mirror stands still. */
    private static final Duration MAXIMUM_AGE = Duration.ofSeconds(8);

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final BooleanSupplier running;
    private final MirroredRules rules;
    private final AccessControl control;
    private final FollowerTurns turns;
    private final Scheduler.Handle poll;
    private boolean awake;
    private boolean closed;

    /**
     * @param running whether the node's process is not paused
     */
    NodeAccess(
            Scheduler scheduler,
            PartitionDirectory directory,
            Mutation mutation,
            BooleanSupplier running) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.running = running;
        this.rules =
                new MirroredRules(
                        directory,
                        Settings.PREFIX,
                        true,
                        MAXIMUM_AGE,
                        MirroredRules.LIMITS,
                        scheduler.clock(),
                        scheduler::nowNanos);
        this.control =
                AccessControl.of(
                        new AccessSettings(
                                Optional.of(new SimulatedLogin()),
                                new Authorization.Mirrored(MAXIMUM_AGE)),
                        _ -> rules,
                        scheduler.clock());
        this.turns = rules.turns(this::wake);
        this.poll =
                scheduler.every(
                        FollowerTurns.POLL_MILLIS, FollowerTurns.POLL_MILLIS, "rules", this::wake);
        wake();
    }

    /**
     * Judges a request for the first time, as production does before it reads anything for it.
     *
     * @throws io.tidemark.serving.status.StatusException 403, or 503 when it cannot be judged
     */
    public Permit admit(Identity who, List<Demand> demands) throws InterruptedException {
        AccessRequest request =
                new AccessRequest(
                        SimulatedLogin.of(who),
                        Map.of(),
                        demands.stream().map(NodeAccess::attributes).toList(),
                        RequestAudit.NONE,
                        _ -> {});
        return mutation.permit(control.admit(request));
    }

    /** Whether the rules in force allow all demands; empty when they decide nothing now. */
    public Optional<Boolean> decides(Identity who, List<Demand> demands)
            throws InterruptedException {
        if (problem().isPresent()) {
            return Optional.empty();
        }
        boolean allowed = true;
        for (Demand each : demands) {
            allowed &= rules.decide(SimulatedLogin.caller(who), attributes(each)).isAllowed();
        }
        return Optional.of(allowed);
    }

    /** Which rules are in force. */
    public Standing standing() {
        return rules.standing();
    }

    /** Why no request can be judged now. */
    public Optional<String> problem() {
        return rules.problem();
    }

    void close() {
        closed = true;
        poll.cancel();
        turns.close();
    }

    /** A partition has advanced: the rules follow soon, and now and then late. */
    private void wake() {
        if (!awake && !closed) {
            awake = true;
            long delay =
                    scheduler.oneIn(12) ? scheduler.between(100, 1_500) : scheduler.between(1, 25);
            var unused = scheduler.after(delay, "rules", this::turn);
        }
    }

    private void turn() {
        awake = false;
        if (closed) {
            return;
        }
        if (!running.getAsBoolean()) {
            wake();
            return;
        }
        long before = standing().version();
        turns.turn();
        if (standing().version() != before) {
            scheduler.count(CoverageEvent.RULES_CHANGED);
        }
    }

    private static RequestAttributes attributes(Demand demand) {
        return switch (demand) {
            case Demand.OfPath(String verb, String path) -> new NonResourceRequest(verb, path);
            case Demand.OfObjects(String verb, String resource, String namespace, String name) ->
                    new ResourceRequest(
                            verb,
                            resource.equals("*") ? "*" : "",
                            "v1",
                            resource,
                            "",
                            namespace,
                            name);
        };
    }
}
