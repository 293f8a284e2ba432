package io.tidemark.peer.link;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the changes of one local replica to one other node that has read to its watermark, so that
 * this node need not poll: a state update carries the changes that led to it. A subscription lasts
 * for {@link #LEASE}; the other node renews it by polling now and then, and a node that has stopped
 * reading soon gets no more.
 *
 * <p>Only whole revisions are pushed. A revision that is too large, or a change of the epoch, ends
 * the subscription: the other node then polls, which starts a new one.
 */
final class ChangeFeed {
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final int MAX_CHANGES = 1_024;

    /** A page takes no further change beyond this; a single one may be larger. */
    private static final int PAGE_BYTES = 256 << 10;

    private static final int MAX_BYTES = 4 * PAGE_BYTES;

    /**
     * A read that takes longer ends the subscription too: the frame for its page is a heartbeat,
     * which must not be late.
     */
    static final Duration LONGEST_READ = StateFeed.HEARTBEAT;

    private static final long OFF = -1;

    private final PartitionView view;
    private final TimedRead timed;
    private final LongSupplier nanoTime;

    // All guarded by this.
    private long epoch;
    private long through = OFF;
    private long untilNanos;

    ChangeFeed(PartitionView view, TimedRead timed, LongSupplier nanoTime) {
        this.view = view;
        this.timed = timed;
        this.nanoTime = nanoTime;
    }

    /** Starts or renews the subscription: the other node has read through this revision. */
    synchronized void follow(long inEpoch, long throughRevision) {
        if (through == OFF || epoch != inEpoch) {
            epoch = inEpoch;
            through = throughRevision;
        }
        untilNanos = nanoTime.getAsLong() + LEASE.toNanos();
    }

    /**
     * The next changes up to this state; empty without a subscription or without changes. Call it
     * again at once: there may be more.
     */
    synchronized Optional<PushedChanges> next(PartitionState state) {
        if (through != OFF && untilNanos - nanoTime.getAsLong() < 0) {
            through = OFF;
        }
        if (through == OFF || state.hasNoChanges(epoch, through, state.watermark())) {
            return Optional.empty();
        }
        long after = through;
        ChangePage page = read(state);
        through = page == null ? OFF : page.throughRevision();
        return page == null || through == after
                ? Optional.empty()
                : Optional.of(new PushedChanges(after, page));
    }

    private @Nullable ChangePage read(PartitionState state) {
        if (!state.ready() || state.epoch() != epoch) {
            return null;
        }
        ChangesRequest request =
                new ChangesRequest(
                        Bytes.EMPTY, through, state.watermark(), MAX_CHANGES, PAGE_BYTES);
        Optional<ChangePage> recent = view.recentChanges(epoch, request);
        ReadOutcome<ChangePage> outcome =
                recent.isPresent()
                        ? new ReadOutcome.Served<>(recent.get())
                        : timed.within(LONGEST_READ, () -> view.read(request));
        if (!(outcome instanceof ReadOutcome.Served<ChangePage>(ChangePage page))
                || page.bytes() > MAX_BYTES
                || view.state().epoch() != epoch) {
            return null;
        }
        boolean tooLarge = !page.isWhole() && page.throughRevision() == through;
        return tooLarge ? null : page.completeRevisions();
    }
}
