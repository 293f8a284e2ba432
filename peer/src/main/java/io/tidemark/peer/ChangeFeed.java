package io.tidemark.peer;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one copy here, for one other node that reads them as they come: it is told them
 * with the news that the copy has moved, and need not ask. Who has asked once is told for {@link
 * #LEASE}, so it asks again now and then, and who has stopped reading is soon told no more.
 *
 * <p>What is pushed are whole revisions. One that is too large for that ends it, as does a history
 * that has been left: then the other node asks, and begins it anew.
 */
final class ChangeFeed {
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final int MAX_CHANGES = 1_024;

    /** No further change is added after so much; a single one may be larger. */
    private static final int PAGE_BYTES = 256 << 10;

    private static final int MAX_BYTES = 4 * PAGE_BYTES;

    /** A page that takes longer ends it as well. */
    static final Duration LONGEST_READ = StateStream.HEARTBEAT;

    private static final long OFF = -1;

    private final PartitionView view;
    private final LongSupplier nanoTime;

    // All guarded by this.
    private long epoch;
    private long through = OFF;
    private long untilNanos;

    ChangeFeed(PartitionView view, LongSupplier nanoTime) {
        this.view = view;
        this.nanoTime = nanoTime;
    }

    /** The other node has read through a revision and goes on there. */
    synchronized void follow(long inEpoch, long throughRevision) {
        if (through == OFF || epoch != inEpoch) {
            epoch = inEpoch;
            through = throughRevision;
        }
        untilNanos = nanoTime.getAsLong() + LEASE.toNanos();
    }

    /**
     * What comes next, of a copy that stands so; empty when nobody follows, or there is nothing.
     * Ask again at once: there may be more.
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
        ReadOutcome<ChangePage> outcome =
                readInTime(
                        new ChangesRequest(
                                Bytes.EMPTY, through, state.watermark(), MAX_CHANGES, PAGE_BYTES));
        if (!(outcome instanceof ReadOutcome.Served<ChangePage>(ChangePage page))
                || page.bytes() > MAX_BYTES
                || view.state().epoch() != epoch) {
            return null;
        }
        boolean tooLarge = !page.isWhole() && page.throughRevision() == through;
        return tooLarge ? null : page.completeRevisions();
    }

    /** The frame that waits for it is a heartbeat too: a slow disk must not hold it up. */
    private ReadOutcome<ChangePage> readInTime(ChangesRequest request) {
        FutureTask<ReadOutcome<ChangePage>> read = new FutureTask<>(() -> view.changes(request));
        Thread.ofVirtual().name("peer-changes").start(read);
        try {
            return read.get(LONGEST_READ.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return new ReadOutcome.ReplicaUnavailable<>("the read takes too long");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new ReadOutcome.ReplicaUnavailable<>("the reader was interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(e);
        } finally {
            read.cancel(true);
        }
    }
}
