package io.tidemark.simulation.client;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.query.access.Permit;
import io.tidemark.query.access.RulesWait;
import io.tidemark.query.watch.CheckedSink;
import io.tidemark.query.watch.EventSink;
import io.tidemark.query.watch.WatchPermit;
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
import io.tidemark.simulation.world.Scheduler;
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

    /** How long a node may take for a judgement. */
    private static final long MOST_JUDGE_MILLIS = 5;

    /** The promised second after a judgement, and what that takes. */
    private static final long LONGEST_OPEN_MILLIS = 1_000 + 2 * MOST_JUDGE_MILLIS;

    private final World world;
    private final SimulatedClient client;
    private final List<Demand> demands;
    private final Optional<NodeAccess> access;
    private Permit permit = Permit.EVERYTHING;
    private @Nullable PartitionSetStatus known;
    private @Nullable RulesWait wait;
    private @Nullable RulesWait told;

    private boolean refused;

    /** When the credentials expire that it came with. */
    private long untilMillis = Long.MAX_VALUE;

    /** 0 while it is not open. */
    private long openedAtMillis;

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
            if (world.settings().expiresLogins()) {
                untilMillis = world.scheduler().nowMillis() + world.scheduler().between(200, 6_000);
            }
            permit = access.get().admit(client.identity(), untilMillis, demands);
            world.scheduler().count(CoverageEvent.REQUESTS_ALLOWED);
            return true;
        } catch (StatusException e) {
            refused(e, CoverageEvent.REQUESTS_FORBIDDEN);
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its right, as reads use it. */
    private Permit ofRead() {
        return world.mutation().permit(permit);
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
            wait = new RulesWait(ofRead(), known, at, PATIENCE, world.scheduler()::nowNanos);
        }
        boolean may = poll(wait);
        if (may) {
            shows("the state known at arrival", known.epoch(), known.watermark());
            shows("a state", at.epoch(), at.revision());
        }
        return may;
    }

    /**
     * The first step of a long poll has come; afterwards this is called until it returns true.
     *
     * @param revision that the client knows by it
     * @return whether the rules as of it allow the answer
     * @throws Refused as {@link #mayShow}
     */
    boolean mayTell(long epoch, long revision) throws Refused {
        if (!isLimited()) {
            return true;
        }
        if (told == null) {
            told =
                    RulesWait.through(
                            ofRead(), epoch, revision, PATIENCE, world.scheduler()::nowNanos);
        }
        return poll(told);
    }

    private boolean poll(RulesWait rules) throws Refused {
        try {
            boolean may = rules.poll();
            if (!may) {
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

    /** The client gets what needs rules as new as a revision, now. */
    void shows(String what, long epoch, long revision) {
        shows(what, epoch, revision, world.newest());
    }

    /**
     * The client got what needs rules as new as a revision.
     *
     * @param sentAt etcd's state when it was sent
     */
    void shows(String what, long epoch, long revision, ModelState sentAt) {
        if (permit != Permit.EVERYTHING) {
            state(epoch, revision).ifPresent(from -> record(what, true, from, sentAt));
        }
    }

    /** Whether rules limit it. */
    boolean isLimited() {
        return permit != Permit.EVERYTHING;
    }

    /** Whether the right of the open watch or long poll has ended. */
    boolean isRefused() {
        return refused;
    }

    /**
     * The right of the open watch or long poll that it began.
     *
     * @param signal asks for a turn
     * @param aborted the server breaks the connection off
     */
    WatchPermit open(Runnable signal, Runnable aborted) {
        if (!isLimited()) {
            return WatchPermit.EVERYTHING;
        }
        Scheduler scheduler = world.scheduler();
        WatchPermit.Ports ports =
                new WatchPermit.Ports(
                        scheduler::nowNanos,
                        scheduler.clock(),
                        task -> {
                            var unused =
                                    scheduler.after(
                                            scheduler.between(0, MOST_JUDGE_MILLIS), "judge", task);
                        },
                        (nanos, task) -> {
                            long millis = (nanos - scheduler.nowNanos() + 999_999) / 1_000_000;
                            return scheduler.after(Math.max(0, millis), "timer", task)::cancel;
                        });
        return new WatchPermit(
                world.mutation().watchPermit(permit),
                ports,
                new WatchPermit.Watch() {
                    @Override
                    public void signal() {
                        signal.run();
                    }

                    @Override
                    public void refused(StatusException why) {
                        refused = true;
                        JudgedRequest.this.refused(why, CoverageEvent.WATCHES_REVOKED);
                    }

                    /** The simulation delays a watch for its client alone. */
                    @Override
                    public boolean isWriting() {
                        return true;
                    }

                    @Override
                    public void abort() {
                        scheduler.count(CoverageEvent.WATCHES_CUT_OFF);
                        aborted.run();
                    }
                });
    }

    /** The sink of a watch that has not begun to follow changes of its right. */
    EventSink checked(EventSink sink) {
        return isLimited() ? new CheckedSink(sink, open(() -> {}, () -> {})) : sink;
    }

    /** It is open now, as a watch or a long poll. */
    void opened() {
        access.ifPresent(_ -> openedAtMillis = world.scheduler().nowMillis());
    }

    /**
     * It is over, or so is the run: it must not have stayed open for more than a second after its
     * node knew of rules that deny it.
     */
    void closed() {
        if (access.isEmpty() || openedAtMillis == 0) {
            return;
        }
        long now = Math.min(world.scheduler().nowMillis(), access.get().closedAtMillis());
        for (NodeAccess.KnownRules rules : access.get().knownRules(openedAtMillis, now)) {
            boolean longEnough = rules.untilMillis() - rules.fromMillis() > MOST_JUDGE_MILLIS;
            boolean late = now - rules.fromMillis() > LONGEST_OPEN_MILLIS;
            Standing at = rules.standing();
            if (longEnough
                    && late
                    && access.get().knewClients(rules.fromMillis(), now)
                    && state(at.epoch(), at.through()).filter(this::isDenied).isPresent()) {
                client.record()
                        .rightsBroken(
                                "%s stays open for %d ms after its node knew the rules of %s"
                                        .formatted(demands, now - rules.fromMillis(), at));
                break;
            }
        }
        if (now - LONGEST_OPEN_MILLIS > untilMillis && access.get().knewClients(untilMillis, now)) {
            client.record()
                    .rightsBroken(
                            "%s stays open for %d ms after its credentials expired"
                                    .formatted(demands, now - untilMillis));
        }
        openedAtMillis = 0;
    }

    /** Whether its credentials have expired. */
    boolean isExpired() {
        return world.scheduler().nowMillis() >= untilMillis;
    }

    /** Events were sent now. */
    void sentEvents() {
        if (isExpired()) {
            client.record()
                    .rightsBroken("%s: events were sent to expired credentials".formatted(demands));
        }
    }

    private boolean isDenied(ModelState state) {
        return !world.rights().isAllowed(client.identity(), demands, state);
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
                ModelState of = state(rules.epoch(), rules.through()).orElseThrow();
                record("a 403", false, of, of);
            }
            case 401 -> {
                world.scheduler().count(CoverageEvent.LOGINS_EXPIRED);
                if (!isExpired()) {
                    client.record()
                            .rightsBroken("%s: 401 for valid credentials".formatted(demands));
                }
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

    private void record(String what, boolean allowed, ModelState from, ModelState to) {
        client.record()
                .add(new RecordedDecision(what, client.identity(), demands, allowed, from, to));
    }
}
