package io.tidemark.query.watch;

import io.tidemark.query.read.MergedChanges;
import io.tidemark.query.read.PageLimits;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.RevisionExpiredException;
import io.tidemark.query.read.Tide;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.watch.WatchHub.Admission;
import io.tidemark.query.watch.Watcher.Mail;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.Projection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch: where it stands in the history, and how it goes on from there.
 *
 * <pre>
 *              reached the channel's window
 *   catching up ─────────────────────────► live
 *   (own reads) ◄───────────────────────── (mailbox)
 *              mailbox overflowed
 * </pre>
 *
 * It is never dropped for being slow. It ends with 410 when the history it stands in is gone. For
 * one thread.
 */
public final class WatchCursor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchCursor.class);

    /** What a read says when it found no copy for as long as it waits. */
    private static final int PARTITION_AWAY = 503;

    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final WatchHub hub;
    private final Admission admission;
    private final Channel channel;
    private final Interest interest;
    private final PartitionSet partitions;
    private final long epoch;
    private final Projection projection;
    private long cursor;
    private volatile @Nullable Watcher live;
    private @Nullable MergedChanges history;

    /** Of the bytes that all who read on by themselves may hold. */
    private long held;

    private boolean closed;

    WatchCursor(
            WatchHub hub,
            Admission admission,
            Channel channel,
            Interest interest,
            PartitionSet partitions,
            long epoch,
            long afterRevision,
            Projection projection) {
        this.hub = hub;
        this.admission = admission;
        this.channel = channel;
        this.interest = interest;
        this.partitions = partitions;
        this.epoch = epoch;
        this.projection = projection;
        this.cursor = afterRevision;
    }

    /**
     * Waits for the next events; once the watch is to end, it takes what has come and waits no
     * more.
     *
     * @param untilNanos as of {@link System#nanoTime}
     * @throws StatusException 410 when the watch cannot go on
     */
    public Step next(long untilNanos) throws InterruptedException {
        while (!hub.closed()) {
            boolean last = admission.ending();
            Optional<Step> step = step(last, last ? System.nanoTime() : untilNanos);
            if (step.isPresent()) {
                return step.get();
            }
        }
        return new Step.Ended();
    }

    private Optional<Step> step(boolean last, long untilNanos) throws InterruptedException {
        Watcher watcher = live;
        if (watcher != null) {
            return fromMailbox(watcher, untilNanos);
        }
        return last ? Optional.of(new Step.Quiet(cursor)) : catchUp(untilNanos);
    }

    /** Has a wait for events end early; by any thread. */
    void wake() {
        Watcher watcher = live;
        if (watcher != null) {
            watcher.wake();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stopLive();
            stopCatchingUp();
            channel.release();
        }
    }

    private Optional<Step> fromMailbox(Watcher watcher, long untilNanos)
            throws InterruptedException {
        long handedOver = channel.board().through();
        Mail mail = watcher.take(untilNanos);
        if (mail instanceof Mail.Batches(List<Batch> none) && none.isEmpty()) {
            // What was posted while waiting concerned others, or is in the mailbox by now.
            handedOver = channel.board().through();
            mail = watcher.take(System.nanoTime());
        }
        return switch (mail) {
            case Mail.Batches(List<Batch> batches) when batches.isEmpty() -> {
                cursor = Math.max(cursor, handedOver);
                yield Optional.of(new Step.Quiet(handedOver));
            }
            case Mail.Batches(List<Batch> batches) -> step(deliveries(batches), last(batches));
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

    private Optional<Step> catchUp(long untilNanos) throws InterruptedException {
        Optional<EventBoard.Joined> joined = channel.board().join(interest, epoch, cursor);
        if (joined.isPresent()) {
            stopCatchingUp();
            live = joined.get().watcher();
            return step(joined.get().missed(), joined.get().throughRevision());
        }
        Tide tide = hub.tides().now(partitions);
        if (tide.epoch() > epoch) {
            throw Refusals.historyReplaced(tide.epoch());
        }
        if (!tide.ready() || tide.watermark() <= cursor) {
            return awaitProgress(untilNanos);
        }
        return readOn(tide.watermark(), untilNanos);
    }

    private Optional<Step> awaitProgress(long untilNanos) throws InterruptedException {
        long now = System.nanoTime();
        if (untilNanos - now <= 0) {
            return Optional.of(new Step.Quiet(cursor));
        }
        long until = Math.min(untilNanos - now, LOOK_UP.toNanos()) + now;
        hub.tides().await(partitions, epoch, cursor + 1, until);
        return Optional.empty();
    }

    private Optional<Step> readOn(long watermark, long untilNanos) throws InterruptedException {
        MergedChanges from = history;
        if (from == null) {
            from = hub.history(partitions, interest, epoch, cursor, projection);
            history = from;
            hub.lagging().increment();
        }
        try {
            PageLimits limits = hub.pages().next(held, partitions.size());
            held = (long) limits.bytes() * partitions.size();
            ChangePage page = from.next(watermark, limits);
            Optional<Step> step = step(deliveriesOf(page.changes()), page.throughRevision());
            boolean timeIsOver = untilNanos - System.nanoTime() <= 0;
            return step.isEmpty() && timeIsOver ? Optional.of(new Step.Quiet(cursor)) : step;
        } catch (StatusException e) {
            if (e.refusal().code() != PARTITION_AWAY) {
                throw e;
            }
            // No reason to end: another copy comes, and the history is read again from here.
            LOG.debug("a watch waits at {}: {}", cursor, e.getMessage());
            stopCatchingUp();
            return untilNanos - System.nanoTime() <= 0
                    ? Optional.of(new Step.Quiet(cursor))
                    : Optional.empty();
        } catch (RevisionExpiredException e) {
            throw e.replacement()
                    .orElseGet(() -> Refusals.watchExpired(Long.toString(cursor), e.floor()));
        }
    }

    private Optional<Step> step(List<Delivery> deliveries, long throughRevision) {
        cursor = Math.max(cursor, throughRevision);
        return deliveries.isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.Events(deliveries, throughRevision));
    }

    private List<Delivery> deliveries(List<Batch> batches) {
        List<Delivery> deliveries = new ArrayList<>();
        for (Batch batch : batches) {
            for (Delivery delivery : batch.deliveries()) {
                // A watch from a future revision is not told what comes before it.
                if (delivery.revision() > cursor) {
                    deliveries.add(delivery);
                }
            }
        }
        return deliveries;
    }

    private List<Delivery> deliveriesOf(List<ObjectChange> changes) {
        List<Delivery> deliveries = new ArrayList<>();
        for (ObjectChange change : changes) {
            if (interest.scope().contains(change.key())) {
                interest.transition(change)
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
        Watcher watcher = live;
        if (watcher != null) {
            channel.board().leave(watcher);
            live = null;
        }
    }

    private void stopCatchingUp() {
        if (history != null) {
            history = null;
            hub.pages().giveBack(held);
            held = 0;
            hub.lagging().decrement();
        }
    }
}
