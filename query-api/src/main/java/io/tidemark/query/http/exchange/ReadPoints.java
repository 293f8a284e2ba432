package io.tidemark.query.http.exchange;

import io.tidemark.query.access.Permit;
import io.tidemark.query.access.RulesWait;
import io.tidemark.query.past.Moment;
import io.tidemark.query.past.ReplayClock;
import io.tidemark.query.past.TimeBase;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.freshness.Freshness;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchBound;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The states that one request may be answered from. Every read of a request goes through here: the
 * state is as fresh as the request asked, the rules are as new as the newest state that was known
 * when the request came, and by them the request is still allowed. States of the past need another
 * right. Below {@code /at/} and {@code /replay/} the newest state is the one of that moment.
 */
public final class ReadPoints {
    /** How often a read of no exact revision is tried when its history ends meanwhile. */
    public static final int ATTEMPTS = 3;

    private static final int GONE = 410;

    private final ServingContext serving;
    private final Permit permit;
    private final TimeBase base;
    private final Freshness freshness;
    private final Duration patience;

    /** For states, so far: a list that begins again waits for the rest of the time only. */
    private long waitedNanos;

    private ReadPoints(ServingContext serving, Permit permit, TimeBase base, Duration patience) {
        this.serving = serving;
        this.permit = permit;
        this.base = base;
        this.freshness = serving.freshness().within(patience);
        this.patience = patience;
    }

    /**
     * @param exchange of the request, which must have been allowed
     * @param patience longest wait for states, together, and then for the rules
     */
    public static ReadPoints of(ServingContext serving, Exchange exchange, Duration patience) {
        return new ReadPoints(serving, exchange.permit(), exchange.timeBase(), patience);
    }

    /** Whether the newest state is one of the past. */
    public boolean arePast() {
        return !base.isPresent();
    }

    /**
     * Waits for a state.
     *
     * @throws StatusException 504 when it or the rules did not arrive in time, 403 when the request
     *     is not allowed any more or may not read the past, and others of {@link Freshness#await}
     */
    public ReadPoint await(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        return arePast() ? awaitPast(partitions, state) : awaitPresent(partitions, state);
    }

    private ReadPoint awaitPast(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        ReadPoint moment = moment(partitions);
        return switch (state) {
            case RequestedState.Latest _, RequestedState.Any _ -> moment;
            case RequestedState.NotOlderThan(long revision, String requested) ->
                    revision <= moment.revision()
                            ? moment
                            : after(moment, new RequestedState.Exactly(revision, requested));
            case RequestedState.Exactly exactly ->
                    exactly.revision() <= moment.revision()
                            ? awaitPresent(partitions, exactly)
                            : after(moment, exactly);
            case RequestedState.Continued(long epoch, long revision) -> {
                if (epoch == moment.epoch() && revision > moment.revision()) {
                    yield after(
                            moment, new RequestedState.Exactly(revision, Long.toString(revision)));
                }
                yield awaitPresent(partitions, state);
            }
        };
    }

    /** The state that is the newest one below the request's time base. */
    private ReadPoint moment(PartitionSet partitions) throws InterruptedException {
        return present(partitions, base.moment());
    }

    /**
     * The state of a moment, or if that is earlier, the newest one.
     *
     * @throws StatusException as {@link #await}, 400 for a future time, 410 for one below the floor
     */
    public ReadPoint of(PartitionSet partitions, Moment moment) throws InterruptedException {
        ReadPoint asked = present(partitions, moment);
        if (!arePast()) {
            return asked;
        }
        ReadPoint newest = moment(partitions);
        return newest.revision() < asked.revision() ? newest : asked;
    }

    private ReadPoint present(PartitionSet partitions, Moment moment) throws InterruptedException {
        return switch (moment) {
            case Moment.Time(Instant time) -> atPresent(partitions, time);
            case Moment.Revision(long number) ->
                    awaitPresent(
                            partitions, new RequestedState.Exactly(number, Long.toString(number)));
        };
    }

    /** A replay goes on to later states; at a moment there are none. */
    private ReadPoint after(ReadPoint moment, RequestedState.Exactly state)
            throws InterruptedException {
        if (base instanceof TimeBase.At) {
            throw StatusErrors.resourceVersionTooLarge(state.requested(), moment.revision());
        }
        return awaitPresent(moment.partitions(), state);
    }

    /**
     * The newest revision at or before a moment: where a range of changes begins.
     *
     * @return empty when it is below the floor
     * @throws StatusException as {@link #await}, and 400 for a future time
     */
    public OptionalLong revisionOf(PartitionSet partitions, Moment moment)
            throws InterruptedException {
        return switch (moment) {
            case Moment.Revision(long number) ->
                    number < serving.watermarks().status(partitions).floor()
                            ? OptionalLong.empty()
                            : OptionalLong.of(number);
            case Moment.Time(Instant time) -> {
                try {
                    yield OptionalLong.of(atPresent(partitions, time).revision());
                } catch (StatusException e) {
                    if (e.status().code() != GONE) {
                        throw e;
                    }
                    yield OptionalLong.empty();
                }
            }
        };
    }

    /** The times of some revisions, in ascending order, that a point's history has. */
    public Map<Long, Instant> timesOf(ReadPoint at, List<Long> revisions)
            throws InterruptedException {
        return serving.timeTravel().timesOf(freshness.any(at.partitions()), revisions);
    }

    /** An earlier state of other partitions of an allowed point's history. */
    public ReadPoint earlier(ReadPoint at, PartitionSet partitions, long revision) {
        return new ReadPoint(partitions, at.epoch(), revision, at.asOfMillis());
    }

    /**
     * How far a watch of the request sees.
     *
     * @param start the revision that it begins after
     * @throws StatusException as {@link #await}
     */
    public WatchBound bound(PartitionSet partitions, long start) throws InterruptedException {
        return switch (base) {
            case TimeBase.Present _ -> new WatchBound.Present();
            case TimeBase.At _ -> new WatchBound.Fixed(moment(partitions).revision());
            case TimeBase.Replay(Moment from, double speed) -> {
                ReplayClock clock =
                        new ReplayClock(timeOf(partitions, from, start), speed, System::nanoTime);
                yield new WatchBound.Moving(() -> revisionBy(partitions, clock.time()));
            }
        };
    }

    /** When a replay that goes on after a revision begins; not before its moment. */
    private Instant timeOf(PartitionSet partitions, Moment from, long start)
            throws InterruptedException {
        ReadPoint moment = moment(partitions);
        return from instanceof Moment.Time(Instant time) && start <= moment.revision()
                ? time
                : serving.timeTravel()
                        .timeOf(freshness.any(partitions), Math.max(start, moment.revision()));
    }

    /** While the partitions cannot be asked, a replay stands still. */
    private long revisionBy(PartitionSet partitions, Instant time) throws InterruptedException {
        PartitionSetStatus status = serving.watermarks().status(partitions);
        return status.ready()
                ? serving.timeTravel().revisionBy(freshness.any(partitions), time)
                : 0;
    }

    private ReadPoint awaitPresent(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        if (permit == Permit.EVERYTHING) {
            return awaitState(partitions, state);
        }
        switch (state) {
            case RequestedState.Exactly(long revision, _) ->
                    requirePresent(partitions, revision, true);
            case RequestedState.Continued(long epoch, long revision) -> {
                if (isPast(partitions, epoch, revision)) {
                    permit.requirePast(false);
                }
            }
            case RequestedState.Latest _, RequestedState.Any _, RequestedState.NotOlderThan _ -> {}
        }
        PartitionSetStatus known = serving.watermarks().status(partitions);
        return allowed(known, awaitState(partitions, state));
    }

    private ReadPoint awaitState(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        long began = System.nanoTime();
        try {
            return freshness.await(partitions, state, Duration.ofNanos(waitedNanos));
        } finally {
            waitedNanos += System.nanoTime() - began;
        }
    }

    /**
     * Waits for the state that a resourceVersion asks for, without resourceVersionMatch.
     *
     * @param requested as the client spelled it
     * @throws StatusException as {@link #await}
     */
    public ReadPoint fresh(PartitionSet partitions, String requested) throws InterruptedException {
        long revision = ListOptions.revisionOf(requested);
        if (requested.isEmpty()) {
            return await(partitions, new RequestedState.Latest());
        }
        return await(
                partitions,
                revision == 0
                        ? new RequestedState.Any()
                        : new RequestedState.NotOlderThan(revision, requested));
    }

    /**
     * The state as of a time.
     *
     * @throws StatusException as {@link #await}, and others of a time that cannot be read
     */
    public ReadPoint at(PartitionSet partitions, Instant time) throws InterruptedException {
        if (arePast()) {
            throw StatusErrors.badRequest("at may not be given below /at/ and /replay/");
        }
        return atPresent(partitions, time);
    }

    private ReadPoint atPresent(PartitionSet partitions, Instant time) throws InterruptedException {
        if (permit == Permit.EVERYTHING) {
            return serving.timeTravel().at(partitions, time, freshness);
        }
        permit.requirePast(serving.recent().isRecentTime(time.toEpochMilli()));
        PartitionSetStatus known = serving.watermarks().status(partitions);
        return allowed(known, serving.timeTravel().at(partitions, time, freshness));
    }

    /**
     * Asks for the right to all changes after a revision, for a watch that waits for its states
     * itself.
     *
     * @param revision 0 for none
     * @throws StatusException 403 when the request may not read the past
     */
    public void requireSince(KeyScope scope, long revision) throws InterruptedException {
        requireSince(serving.watermarks().partitionsOf(scope), revision);
    }

    /** The same for all changes of some partitions. */
    public void requireSince(PartitionSet partitions, long revision) throws InterruptedException {
        if (permit != Permit.EVERYTHING && revision > 0) {
            requirePresent(partitions, revision, false);
        }
    }

    /**
     * Asks for the right to the state of a revision that the request names.
     *
     * @throws StatusException 403 when the request may not read the past
     */
    public void requireState(PartitionSet partitions, long revision) throws InterruptedException {
        if (permit != Permit.EVERYTHING) {
            requirePresent(partitions, revision, true);
        }
    }

    /**
     * Waits until the rules are known as of a revision, and judges by them, for what is read
     * without a read point.
     *
     * @throws StatusException as {@link #await}
     */
    public void requireThrough(long epoch, long revision) throws InterruptedException {
        if (permit != Permit.EVERYTHING) {
            await(RulesWait.through(permit, epoch, revision, patience, System::nanoTime));
        }
    }

    /**
     * Asks for the right to the past, however recent.
     *
     * @throws StatusException 403 when the request may not read the past
     */
    public void requirePast() throws InterruptedException {
        permit.requirePast(false);
    }

    /**
     * @param named whether the request names this very state, which is the past of a Secret even if
     *     it is recent
     */
    private void requirePresent(PartitionSet partitions, long revision, boolean named)
            throws InterruptedException {
        ReadPoint newest = freshness.any(partitions);
        if (revision >= newest.revision()) {
            return;
        }
        boolean recent = serving.recent().isRecent(newest, newest.epoch(), revision);
        if (named || !recent) {
            permit.requirePast(recent);
        }
    }

    private boolean isPast(PartitionSet partitions, long epoch, long revision)
            throws InterruptedException {
        return !serving.recent().isRecent(freshness.any(partitions), epoch, revision);
    }

    private ReadPoint allowed(PartitionSetStatus known, ReadPoint point)
            throws InterruptedException {
        await(new RulesWait(permit, known, point, patience, System::nanoTime));
        return point;
    }

    private static void await(RulesWait rules) throws InterruptedException {
        while (!rules.poll()) {
            rules.park();
        }
    }
}
