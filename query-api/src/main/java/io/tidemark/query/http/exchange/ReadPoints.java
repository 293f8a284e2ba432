package io.tidemark.query.http.exchange;

import io.tidemark.query.access.Permit;
import io.tidemark.query.access.RulesWait;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.Freshness;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RequestedState;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.time.Instant;

/**
 * The states that one request may be answered from. Every read of a request goes through here: the
 * state is as fresh as the request asked, the rules are as new as the newest state that was known
 * when the request came, and by them the request is still allowed. States of the past need a right
 * of their own.
 */
public final class ReadPoints {
    private final ServingContext serving;
    private final Permit permit;
    private final Freshness freshness;
    private final Duration patience;

    private ReadPoints(ServingContext serving, Permit permit, Duration patience) {
        this.serving = serving;
        this.permit = permit;
        this.freshness = serving.freshness().within(patience);
        this.patience = patience;
    }

    /**
     * @param exchange of the request, which must have been allowed
     * @param patience longest wait for a state, and then for the rules
     */
    public static ReadPoints of(ServingContext serving, Exchange exchange, Duration patience) {
        return new ReadPoints(serving, exchange.permit(), patience);
    }

    /**
     * Waits for a state.
     *
     * @throws StatusException 504 when it or the rules did not arrive in time, 403 when the request
     *     is not allowed any more or may not read the past, and others of {@link Freshness#await}
     */
    public ReadPoint await(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        if (permit == Permit.EVERYTHING) {
            return freshness.await(partitions, state);
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
        return allowed(known, freshness.await(partitions, state));
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
        if (permit != Permit.EVERYTHING && revision > 0) {
            requirePresent(serving.watermarks().partitionsOf(scope), revision, false);
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
