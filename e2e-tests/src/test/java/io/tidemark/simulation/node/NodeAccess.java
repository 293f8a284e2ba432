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
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.PartitionDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A node's rules, which it follows in virtual time, and its judgement of requests by them. */
public final class NodeAccess {
    /** Shorter than a run, so that rules get too old when the mirror stands still. */
    private static final Duration MAXIMUM_AGE = Duration.ofSeconds(8);

    private static final long RETRY_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final BooleanSupplier running;
    private final MirroredRules rules;
    private final AccessControl control;
    private final FollowerTurns turns;
    private final Scheduler.Handle poll;
    private final Scheduler.Handle cuts;
    private final SimulatedLogin login = new SimulatedLogin();
    private final List<NextRules> known = new ArrayList<>();
    private final List<LoginCut> loginCuts = new ArrayList<>();
    private long cutUntilMillis;
    private boolean decided;
    private boolean awake;
    private long closedAtMillis = Long.MAX_VALUE;

    /** When clients could not be known. */
    private record LoginCut(long from, long until) {}

    /**
     * Rules that were in force for a while.
     *
     * @param fromMillis when a judgement by them was due
     * @param untilMillis exclusive
     */
    public record KnownRules(Standing standing, long fromMillis, long untilMillis) {}

    /**
     * Rules that came into force, or became new enough or too old to decide by.
     *
     * @param dueMillis when a judgement by them was due
     */
    private record NextRules(Standing standing, boolean decide, long atMillis, long dueMillis) {}

    /**
     * @param running whether the node's process is not paused
     * @param cutsLogin whether it cannot find out now and then who clients are
     */
    NodeAccess(
            Scheduler scheduler,
            PartitionDirectory directory,
            BooleanSupplier running,
            boolean cutsLogin) {
        this.scheduler = scheduler;
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
                                Optional.of(login), new Authorization.Mirrored(MAXIMUM_AGE)),
                        _ -> rules,
                        scheduler.clock());
        this.turns = rules.turns(this::wake);
        this.poll =
                scheduler.every(
                        FollowerTurns.POLL_MILLIS, FollowerTurns.POLL_MILLIS, "rules", this::wake);
        this.cuts = cutsLogin ? scheduler.every(1_500, 9_000, "login", this::cutLogin) : () -> {};
        wake();
    }

    private void cutLogin() {
        long now = scheduler.nowMillis();
        if (now < cutUntilMillis) {
            return;
        }
        scheduler.count(CoverageEvent.LOGINS_CUT);
        long millis = scheduler.between(100, 3_500);
        cutUntilMillis = now + millis;
        loginCuts.add(new LoginCut(now, cutUntilMillis + RETRY_MILLIS));
        login.answers(false);
        var unused = scheduler.after(millis, "login", () -> login.answers(true));
    }

    /**
     * Whether it could find out who clients are, all the time between two others; what it could not
     * judge before, it judges a second later.
     */
    public boolean knewClients(long fromMillis, long untilMillis) {
        return loginCuts.stream()
                .noneMatch(cut -> cut.from() < untilMillis && cut.until() > fromMillis);
    }

    /**
     * Judges a request for the first time, as production does before it reads anything for it.
     *
     * @param untilMillis when the client's credentials expire; {@link Long#MAX_VALUE} for never
     * @throws io.tidemark.serving.status.StatusException 403, or 503 when it cannot be judged
     */
    public Permit admit(Identity who, long untilMillis, List<Demand> demands)
            throws InterruptedException {
        AccessRequest request =
                new AccessRequest(
                        SimulatedLogin.of(who, untilMillis),
                        Map.of(),
                        demands.stream().map(NodeAccess::attributes).toList(),
                        RequestAudit.NONE,
                        _ -> {});
        return control.admit(request);
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

    /** When its process ended; far in the future while it runs. */
    public long closedAtMillis() {
        return closedAtMillis;
    }

    /** The rules that decided between two times. */
    public List<KnownRules> knownRules(long fromMillis, long untilMillis) {
        List<KnownRules> all = new ArrayList<>();
        for (int i = 0; i < known.size(); i++) {
            NextRules each = known.get(i);
            long next = i + 1 < known.size() ? known.get(i + 1).atMillis() : untilMillis;
            long begin = Math.max(fromMillis, each.dueMillis());
            long end = Math.min(next, untilMillis);
            if (each.decide() && begin < end) {
                all.add(new KnownRules(each.standing(), begin, end));
            }
        }
        return all;
    }

    void close() {
        closedAtMillis = scheduler.nowMillis();
        poll.cancel();
        cuts.cancel();
        turns.close();
    }

    /** A partition has advanced: the rules follow soon, and now and then late. */
    private void wake() {
        if (!awake && !isClosed()) {
            awake = true;
            long delay =
                    scheduler.oneIn(12) ? scheduler.between(100, 1_500) : scheduler.between(1, 25);
            var unused = scheduler.after(delay, "rules", this::turn);
        }
    }

    private void turn() {
        awake = false;
        if (isClosed()) {
            return;
        }
        if (!running.getAsBoolean()) {
            wake();
            return;
        }
        long before = standing().version();
        boolean decidedBefore = decided && problem().isEmpty();
        turns.turn();
        decided = problem().isEmpty();
        if (standing().version() != before || decided != decidedBefore) {
            scheduler.count(CoverageEvent.RULES_CHANGED);
            long now = scheduler.nowMillis();
            // Production tries a judgement again after a second that was not possible.
            long due = now + (decidedBefore ? 0 : RETRY_MILLIS);
            known.add(new NextRules(standing(), decided, now, due));
        }
    }

    private boolean isClosed() {
        return closedAtMillis != Long.MAX_VALUE;
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
