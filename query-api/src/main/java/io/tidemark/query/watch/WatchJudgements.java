package io.tidemark.query.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.query.watch.WatchPermit.Ports;
import io.tidemark.query.watch.WatchPermit.Watch;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Judges one open watch again: after each change of rules or credentials, when the credentials
 * expire, and each second while it could not be judged. Remembers why its right has ended. For any
 * thread.
 */
final class WatchJudgements {
    /** Between two tries of a judgement that was not possible. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private static final int SERVER_ERRORS = 500;
    private static final int TOO_MANY = 429;
    private static final Runnable NOTHING = () -> {};

    private final Permit permit;
    private final Ports ports;
    private final Watch watch;
    private final Runnable judged;
    private final AtomicReference<@Nullable StatusException> refusal = new AtomicReference<>();

    /** Asked for judgements that none has answered yet; above 0 while one runs or is due. */
    private final AtomicInteger wanted = new AtomicInteger();

    /** Why the last judgement was not possible; null if it was. */
    private volatile @Nullable StatusException undecided;

    private volatile boolean closed;
    private volatile Runnable endChanges = NOTHING;
    private volatile Runnable endExpiry = NOTHING;
    private volatile Runnable endRetry = NOTHING;
    private volatile Runnable endAbort = NOTHING;

    /** Of the judgements, one at a time. */
    private long undecidedSince;

    /**
     * @param judged called after each judgement by which the right remains
     */
    WatchJudgements(Permit permit, Ports ports, Watch watch, Runnable judged) {
        this.permit = permit;
        this.ports = ports;
        this.watch = watch;
        this.judged = judged;
    }

    /** Begins to follow changes; once. */
    void open() {
        endChanges = permit.onChange(this::judgeAgain);
        setExpiry();
        judgeUnlessCurrent();
    }

    void close() {
        closed = true;
        endChanges.run();
        endExpiry.run();
        endRetry.run();
        endAbort.run();
    }

    /**
     * @throws StatusException why the right has ended
     */
    void requireNoRefusal() {
        StatusException ended = refusal.get();
        if (ended != null) {
            throw ended;
        }
    }

    /** Ends the right, unless it has ended. */
    void refuse(StatusException why) {
        if (refusal.compareAndSet(null, why)) {
            watch.refused(why);
            abortLater(now());
            watch.signal();
        }
    }

    /** Why the watch cannot be judged now; empty if it can. */
    Optional<StatusException> undecided() {
        return Optional.ofNullable(undecided);
    }

    void judgeUnlessCurrent() {
        if (!permit.isCurrent()) {
            judgeAgain();
        }
    }

    private void judgeAgain() {
        if (!isOver() && wanted.getAndIncrement() == 0) {
            ports.judges().execute(this::judge);
        }
    }

    /** A judgement begins after every request for one, so that no change is missed. */
    private void judge() {
        int answered = wanted.get();
        try {
            judgeOnce();
        } finally {
            if (wanted.addAndGet(-answered) > 0) {
                ports.judges().execute(this::judge);
            }
        }
    }

    private void judgeOnce() {
        if (isOver()) {
            return;
        }
        try {
            permit.require();
        } catch (StatusException e) {
            int code = e.status().code();
            if (code < SERVER_ERRORS && code != TOO_MANY) {
                refuse(e);
            } else {
                judgeLater(e);
            }
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // The node stops.
            return;
        }
        undecided = null;
        setExpiry();
        judged.run();
    }

    private void judgeLater(StatusException why) {
        long now = now();
        if (undecided == null) {
            undecidedSince = now;
        }
        undecided = why;
        if (now - undecidedSince >= WatchPermit.PATIENCE.toNanos()) {
            refuse(why);
        } else {
            endRetry.run();
            endRetry = ports.timers().at(now + RETRY.toNanos(), this::judgeAgain);
        }
    }

    private void setExpiry() {
        Instant until = permit.until();
        endExpiry.run();
        if (!until.equals(Instant.MAX) && !closed) {
            long nanos = WatchPermit.nanosUntil(until, ports.clock());
            endExpiry = ports.timers().at(now() + nanos, this::onExpiry);
        }
    }

    private void onExpiry() {
        if (permit.isCurrent()) {
            setExpiry();
        } else {
            judgeAgain();
        }
    }

    private void abortLater(long refusedAt) {
        boolean wasWriting = watch.isWriting();
        endAbort =
                ports.timers()
                        .at(
                                now() + ports.grace().toNanos(),
                                () -> abortIfStalled(refusedAt, wasWriting));
    }

    /**
     * A watch that a busy node has not given its turn yet still gets to write why it ends.
     *
     * @param wasWriting whether it wrote when the grace began: it has waited all that time
     */
    private void abortIfStalled(long refusedAt, boolean wasWriting) {
        if (closed) {
            return;
        }
        boolean stalled = wasWriting && watch.isWriting();
        if (stalled || now() - refusedAt >= WatchPermit.PATIENCE.toNanos()) {
            watch.abort();
        } else {
            abortLater(refusedAt);
        }
    }

    private boolean isOver() {
        return closed || refusal.get() != null;
    }

    private long now() {
        return ports.nanoClock().getAsLong();
    }
}
