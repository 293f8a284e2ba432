package io.tidemark.serving.watch;

import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch: a cursor into the history that alternates between live events and catch-up reads.
 *
 * <pre>
 *           reached the demux's window
 *   catching up ─────────────────────────► live
 *   (own reads) ◄───────────────────────── (mailbox)
 *              mailbox overflowed
 * </pre>
 *
 * A slow watch is never dropped. It ends with 410 when its position is compacted or its history
 * replaced. A revision that is larger than a page is returned in parts, by own reads; inside one
 * the watch can only end with 410. For one thread.
 */
public final class WatchCursor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchCursor.class);

    /** The status of a read that found no readable replica within its patience. */
    private static final int UNAVAILABLE = 503;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    /** How often a bound that moves is looked at. */
    private static final Duration BOUND_INTERVAL = Duration.ofMillis(50);

    private final WatchHub hub;
    private final Admission admission;
    private final WatchDispatcher dispatcher;
    private final WatchFilter filter;
    private final PartitionSet partitions;
    private final long epoch;
    private final Projection projection;
    private final WatchBound bound;
    private ChangePosition position;

    /** Revision of the last event that was returned. */
    private long sentRevision;

    private volatile @Nullable WatchMailbox live;
    private volatile Runnable arrival = () -> {};
    private @Nullable MergedChanges history;

    /** Bytes reserved from {@link CatchUpBudget}. */
    private long held;

    private boolean closed;

    /** Whether a fixed bound is reached: nothing follows. */
    private volatile boolean complete;

    /**
     * @param dispatcher of live events, which a watch with a bound does not use
     */
    WatchCursor(
            WatchHub hub,
            Admission admission,
            WatchDispatcher dispatcher,
            WatchFilter filter,
            PartitionSet partitions,
            long epoch,
            long afterRevision,
            Projection projection,
            WatchBound bound) {
        this.bound = bound;
        this.hub = hub;
        this.admission = admission;
        this.dispatcher = dispatcher;
        this.filter = filter;
        this.partitions = partitions;
        this.epoch = epoch;
        this.projection = projection;
        this.position = ChangePosition.endOf(afterRevision);
    }

    /**
     * Waits for the next events. While the watch is being drained it takes what is there and does
     * not wait.
     *
     * @param untilNanos as of the hub's clock; in the past, this does not wait
     * @throws StatusException 410 when the watch cannot go on
     */
    public Step next(long untilNanos) throws InterruptedException {
        while (!hub.closed()) {
            Optional<Step> step = step(untilNanos);
            if (step.isPresent()) {
                return step.get();
            }
        }
        return end();
    }

    private Step end() {
        if (!mayEnd()) {
            throw StatusErrors.endedInsideRevision(position.revision());
        }
        return new Step.Ended();
    }

    /** Whether {@link #poll} returns what comes next: from the mailbox, or nothing any more. */
    public boolean isLive() {
        return live != null || complete;
    }

    /**
     * Takes the live events that have come. Does not block and reads no store.
     *
     * @return empty when the watch is not live: {@link #catchUp} reads what it lacks
     * @throws StatusException 410 when the watch cannot go on
     */
    public Optional<Step> poll() throws InterruptedException {
        if (complete) {
            requireHistory(hub.watermarks().status(partitions));
            return Optional.of(noEvents());
        }
        WatchMailbox watcher = live;
        return watcher == null ? Optional.empty() : fromMailbox(watcher, now());
    }

    /** Whether the mailbox still holds what came before {@link #poll}. */
    public boolean hasMore() {
        WatchMailbox watcher = live;
        return watcher != null && watcher.hasMail();
    }

    /**
     * Waits for the next events from the store, as {@link #next} does.
     *
     * @return empty once the watch is live: {@link #poll} returns its next events
     * @throws StatusException 410 when the watch cannot go on
     */
    public Optional<Step> catchUp(long untilNanos) throws InterruptedException {
        while (!hub.closed() && !isLive()) {
            Optional<Step> step = step(untilNanos);
            if (step.isPresent()) {
                return step;
            }
        }
        return isLive() ? Optional.empty() : Optional.of(end());
    }

    /**
     * Runs a task whenever {@link #poll} may return something new, on the thread that brought it,
     * and when the watch becomes live.
     *
     * @param task must be quick
     */
    public void onArrival(Runnable task) {
        arrival = task;
    }

    /** Whether the client has got whole revisions only. */
    private boolean mayEnd() {
        return position.isWhole() || sentRevision < position.revision();
    }

    private Optional<Step> step(long untilNanos) throws InterruptedException {
        boolean last = admission.ending() && mayEnd();
        WatchMailbox watcher = live;
        if (watcher != null) {
            return fromMailbox(watcher, last ? now() : untilNanos);
        }
        if (last) {
            return Optional.of(noEvents());
        }
        if (complete) {
            requireHistory(hub.watermarks().status(partitions));
            return awaitProgress(untilNanos);
        }
        return joinOrRead(untilNanos);
    }

    /** Ends a wait for live events early; for any thread. */
    public void wake() {
        WatchMailbox watcher = live;
        if (watcher != null) {
            watcher.wake();
        } else if (complete) {
            arrival.run();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stopLive();
            stopCatchingUp();
            if (followsPresent()) {
                dispatcher.release();
            }
        }
    }

    private Optional<Step> fromMailbox(WatchMailbox watcher, long untilNanos)
            throws InterruptedException {
        long deliveredThrough = dispatcher.demux().through();
        Mail mail = watcher.take(untilNanos - now());
        if (mail instanceof Mail.Batches(List<Batch> none) && none.isEmpty()) {
            // What was published during the wait did not match, or is in the mailbox by now.
            deliveredThrough = dispatcher.demux().through();
            mail = watcher.take(0);
        }
        return switch (mail) {
            case Mail.Batches(List<Batch> batches) when batches.isEmpty() -> {
                // The mail of a batch comes before the demux is through it.
                reached(ChangePosition.endOf(deliveredThrough));
                yield Optional.of(noEvents());
            }
            case Mail.Batches(List<Batch> batches) ->
                    orNoEvents(
                            step(deliveries(batches), ChangePosition.endOf(last(batches))),
                            untilNanos);
            case Mail.Overflowed() -> {
                stopLive();
                yield Optional.empty();
            }
            case Mail.Ended(Optional<StatusException> why) -> {
                live = null;
                if (why.isPresent()) {
                    throw why.get();
                }
                yield Optional.of(new Step.Ended());
            }
        };
    }

    private Optional<Step> joinOrRead(long untilNanos) throws InterruptedException {
        Optional<EventDemux.Joined> joined =
                followsPresent() && position.isWhole()
                        ? dispatcher.demux().join(filter, epoch, position.revision())
                        : Optional.empty();
        if (joined.isPresent()) {
            stopCatchingUp();
            live = joined.get().watcher();
            reached(ChangePosition.endOf(joined.get().throughRevision()));
            joined.get().watcher().onArrival(arrival);
            return Optional.empty();
        }
        PartitionSetStatus status = hub.watermarks().status(partitions);
        requireHistory(status);
        if (isComplete()) {
            complete = true;
            stopCatchingUp();
            return Optional.empty();
        }
        long through = through(status);
        if (!status.ready() || through <= position.wholeRevision()) {
            return awaitProgress(untilNanos);
        }
        return readHistory(through, untilNanos);
    }

    private void requireHistory(PartitionSetStatus status) {
        if (status.epoch() > epoch) {
            throw StatusErrors.historyReplaced(status.epoch());
        }
    }

    private boolean followsPresent() {
        return bound instanceof WatchBound.Present;
    }

    private boolean isComplete() {
        return bound instanceof WatchBound.Fixed(long revision)
                && position.wholeRevision() >= revision;
    }

    private long through(PartitionSetStatus status) throws InterruptedException {
        return switch (bound) {
            case WatchBound.Present _ -> status.watermark();
            case WatchBound.Fixed(long revision) -> Math.min(status.watermark(), revision);
            case WatchBound.Moving(WatchBound.Moving.Source source) ->
                    Math.min(status.watermark(), source.revision());
        };
    }

    private Optional<Step> awaitProgress(long untilNanos) throws InterruptedException {
        long now = now();
        if (untilNanos - now <= 0) {
            return Optional.of(noEvents());
        }
        Duration most = bound instanceof WatchBound.Moving ? BOUND_INTERVAL : POLL_INTERVAL;
        long wait = Math.min(untilNanos - now, most.toNanos());
        if (followsPresent()) {
            hub.watermarks().await(partitions, epoch, nextRevision(), now + wait);
        } else {
            Thread.sleep(Duration.ofNanos(wait));
        }
        return Optional.empty();
    }

    /** A client may ask for a watch after the last possible revision. */
    private long nextRevision() {
        return Math.max(position.wholeRevision(), position.wholeRevision() + 1);
    }

    private Optional<Step> readHistory(long watermark, long untilNanos)
            throws InterruptedException {
        admission.requireClient();
        MergedChanges from = history;
        if (from == null) {
            from = hub.history(partitions, filter, epoch, position, projection);
            history = from;
        }
        hub.lags(this, position.wholeRevision());
        try {
            PageLimits limits = hub.catchUpBudget().reserve(held, partitions.size());
            held = (long) limits.bytes() * partitions.size();
            ChangePage page = from.next(watermark, limits);
            held = hub.catchUpBudget().adjust(held, page.bytes());
            return orNoEvents(step(deliveriesOf(page.changes()), page.through()), untilNanos);
        } catch (StatusException e) {
            if (e.status().code() != UNAVAILABLE) {
                throw e;
            }
            // No reason to end the watch: another replica will take over; read again from here.
            LOG.debug("watch at {} retries its read: {}", position, e.getMessage());
            stopCatchingUp();
            return timedOut(untilNanos) ? Optional.of(noEvents()) : Optional.empty();
        } catch (RevisionExpiredException e) {
            throw e.replacement()
                    .orElseGet(() ->
                            StatusErrors.watchExpired(
                                    Long.toString(position.wholeRevision()), e.floor()));
        }
    }

    private long now() {
        return hub.nanoClock().getAsLong();
    }

    /** Turns an empty step into {@link Step.NoEvents} once the time is over. */
    private Optional<Step> orNoEvents(Optional<Step> step, long untilNanos) {
        return step.isEmpty() && timedOut(untilNanos) ? Optional.of(noEvents()) : step;
    }

    private boolean timedOut(long untilNanos) {
        return untilNanos - now() <= 0;
    }

    private Step noEvents() {
        return new Step.NoEvents(sentThrough(position));
    }

    /** Rounded down to a whole revision unless a part of one has been returned. */
    private ChangePosition sentThrough(ChangePosition through) {
        return mayEnd() ? ChangePosition.endOf(through.wholeRevision()) : through;
    }

    private Optional<Step> step(List<Delivery> deliveries, ChangePosition through) {
        reached(through);
        if (deliveries.isEmpty()) {
            return Optional.empty();
        }
        sentRevision = deliveries.getLast().revision();
        return Optional.of(new Step.Events(deliveries, sentThrough(through)));
    }

    private void reached(ChangePosition through) {
        position = through.compareTo(position) > 0 ? through : position;
    }

    private List<Delivery> deliveries(List<Batch> batches) {
        List<Delivery> deliveries = new ArrayList<>();
        for (Batch batch : batches) {
            for (QueuedEvent event : batch.events()) {
                // A watch from a future revision skips the events before it.
                if (event.revision() > position.wholeRevision()) {
                    event.delivery().ifPresent(deliveries::add);
                }
            }
        }
        return deliveries;
    }

    private List<Delivery> deliveriesOf(List<ObjectChange> changes) {
        List<Delivery> deliveries = new ArrayList<>();
        for (ObjectChange change : changes) {
            if (filter.scope().contains(change.key())) {
                filter.transition(change)
                        .ifPresent(transition ->
                                deliveries.add(new Delivery(new EncodedEvent(change), transition)));
            }
        }
        return deliveries;
    }

    private static long last(List<Batch> batches) {
        return batches.getLast().throughRevision();
    }

    private void stopLive() {
        WatchMailbox watcher = live;
        if (watcher != null) {
            dispatcher.demux().leave(watcher);
            live = null;
        }
    }

    private void stopCatchingUp() {
        if (history != null) {
            history = null;
            hub.catchUpBudget().release(held);
            held = 0;
            hub.caughtUp(this);
        }
    }
}
