package io.tidemark.query.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The right of one open watch. Before the watch sends something, it asks {@link #allows}: the rules
 * must be known as of what is sent or later, and the watch must have been judged by them.
 *
 * <p>It judges again after each change of rules or credentials and when the credentials expire, on
 * {@link Ports#judges}. Once the right has ended, {@link #check} and {@link #allows} throw the
 * reason, and the watch has {@link #GRACE} to send it before it is aborted.
 *
 * <p>{@link #check}, {@link #allows} and {@link #require} are for one thread at a time, the others
 * for any. It has no thread and no clock.
 */
public final class WatchPermit implements AutoCloseable {
    /** How long a watch waits for rules, or for a judgement, before it ends with an error. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a client that reads slowly may take for the reason of the end. */
    public static final Duration GRACE = Duration.ofSeconds(1);

    /** Between two tries of a judgement that was not possible. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** A clock may be set, so an expiry further ahead is looked at again after this time. */
    private static final Duration LONGEST_TIMER = Duration.ofMinutes(1);

    private static final Duration SHORTEST_TIMER = Duration.ofMillis(1);

    private static final int SERVER_ERRORS = 500;
    private static final int TOO_MANY = 429;
    private static final Runnable NOTHING = () -> {};

    private final Permit permit;
    private final Ports ports;
    private final Watch watch;
    private final AtomicReference<@Nullable StatusException> refusal = new AtomicReference<>();

    /** Asked for judgements that none has answered yet; above 0 while one runs or is due. */
    private final AtomicInteger judgements = new AtomicInteger();

    /** Why the last judgement was not possible; null if it was. */
    private volatile @Nullable StatusException undecided;

    /** Whether the watch has something that it may not send yet. */
    private volatile boolean holding;

    /** Whether {@link #awaitsRules} is to signal. */
    private volatile boolean awaiting;

    private volatile boolean closed;
    private volatile Runnable endChanges = NOTHING;
    private volatile Runnable endExpiry = NOTHING;
    private volatile Runnable endRetry = NOTHING;
    private volatile Runnable endAbort = NOTHING;

    // Of the judgements, one at a time.
    private long undecidedSince;

    // Of the thread that sends.
    private long heldSince;
    private long awaitedEpoch;
    private long awaitedRevision;
    private Runnable endAwaiting = NOTHING;
    private Runnable endPatience = NOTHING;

    /** Calls tasks later. */
    public interface Timers {
        /**
         * @param nanos as of {@link Ports#nanoClock}
         * @param task does not block
         * @return makes the call unlikely
         */
        Runnable at(long nanos, Runnable task);
    }

    /**
     * @param nanoClock such as {@link System#nanoTime}
     * @param clock compared with the expiry of credentials
     * @param judges runs judgements, which may ask other servers
     */
    public record Ports(
            LongSupplier nanoClock, InstantSource clock, Executor judges, Timers timers) {}

    /** The watch. Its methods are called on any thread and must be quick. */
    public interface Watch {
        /** What was not allowed may be allowed now, or the right has ended. */
        void signal();

        /** The right has ended; called once. */
        void refused(StatusException why);

        /** The watch has not ended in time: breaks its connection off. */
        void abort();
    }

    public WatchPermit(Permit permit, Ports ports, Watch watch) {
        this.permit = permit;
        this.ports = ports;
        this.watch = watch;
    }

    /** The right of a node without access control, which is never judged. */
    public static WatchPermit everything() {
        return new WatchPermit(
                Permit.EVERYTHING,
                new Ports(() -> 0, InstantSource.system(), Runnable::run, (_, _) -> NOTHING),
                new Watch() {
                    @Override
                    public void signal() {}

                    @Override
                    public void refused(StatusException why) {}

                    @Override
                    public void abort() {}
                });
    }

    /** Begins to follow changes; once. The permit has been judged before. */
    public void open() {
        if (isLimited()) {
            endChanges = permit.onChange(this::judgeAgain);
            setExpiry();
            judgeUnlessCurrent();
        }
    }

    /** The watch is over. */
    @Override
    public void close() {
        closed = true;
        endChanges.run();
        endExpiry.run();
        endRetry.run();
        endAbort.run();
        release();
    }

    /** Whether the right can end. */
    public boolean isLimited() {
        return permit != Permit.EVERYTHING;
    }

    /**
     * @throws StatusException why the right has ended
     */
    public void check() {
        if (isLimited()) {
            requireNoRefusal();
            judgeUnlessCurrent();
        }
    }

    /**
     * Whether everything through a revision may be sent. If not, a signal follows once it may be.
     *
     * @param epoch of the watch
     * @param revision 0 for nothing
     * @throws StatusException why the right has ended: 401, 403; 503 or 504 when the rules have not
     *     come in time
     */
    public boolean allows(long epoch, long revision) {
        if (!isLimited() || revision == 0) {
            return true;
        }
        requireNoRefusal();
        if (isAllowed(epoch, revision)) {
            release();
            return true;
        }
        hold(epoch, revision);
        // The rules or the judgement may have come before it was held, without a signal.
        if (isAllowed(epoch, revision)) {
            release();
            return true;
        }
        requireNoRefusal();
        return false;
    }

    /**
     * Judges now, for a thread that may block.
     *
     * @throws StatusException why the right has ended
     */
    public void require() throws InterruptedException {
        requireNoRefusal();
        try {
            permit.require();
        } catch (StatusException e) {
            refuse(e);
            throw e;
        }
    }

    /** Ends the right, unless it has ended. */
    void refuse(StatusException why) {
        if (refusal.compareAndSet(null, why)) {
            watch.refused(why);
            endAbort = ports.timers().at(now() + GRACE.toNanos(), this::abort);
            watch.signal();
        }
    }

    private void abort() {
        if (!closed) {
            watch.abort();
        }
    }

    /** Asks for the rules first: then those that were judged by are as new as the revision. */
    private boolean isAllowed(long epoch, long revision) {
        return permit.covers(epoch, revision) && permit.isCurrent();
    }

    private void hold(long epoch, long revision) {
        if (!holding) {
            holding = true;
            heldSince = now();
            endPatience = ports.timers().at(heldSince + PATIENCE.toNanos(), watch::signal);
        }
        if (now() - heldSince >= PATIENCE.toNanos()) {
            StatusException why = undecided;
            refuse(why == null ? rulesUnavailable() : why);
        } else if (permit.covers(epoch, revision)) {
            judgeUnlessCurrent();
        } else {
            awaitRules(epoch, revision);
        }
    }

    private void release() {
        if (holding) {
            holding = false;
            endPatience.run();
            endAwaiting.run();
            awaiting = false;
        }
    }

    private void awaitRules(long epoch, long revision) {
        if (!awaiting || epoch != awaitedEpoch || revision != awaitedRevision) {
            endAwaiting.run();
            awaiting = true;
            awaitedEpoch = epoch;
            awaitedRevision = revision;
            endAwaiting = permit.onceCovered(epoch, revision, this::rulesCame);
        }
    }

    private void rulesCame() {
        awaiting = false;
        watch.signal();
    }

    private void judgeUnlessCurrent() {
        if (!permit.isCurrent()) {
            judgeAgain();
        }
    }

    private void judgeAgain() {
        if (!isOver() && judgements.getAndIncrement() == 0) {
            ports.judges().execute(this::judge);
        }
    }

    /** A judgement begins after every request for one, so that no change is missed. */
    private void judge() {
        int answered = judgements.get();
        try {
            judgeOnce();
        } finally {
            if (judgements.addAndGet(-answered) > 0) {
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
        if (holding) {
            watch.signal();
        }
    }

    private void judgeLater(StatusException why) {
        long now = now();
        if (undecided == null) {
            undecidedSince = now;
        }
        undecided = why;
        if (now - undecidedSince >= PATIENCE.toNanos()) {
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
            long nanos = nanosUntil(until, ports.clock());
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

    /**
     * How long to wait before credentials may have expired.
     *
     * @return a millisecond at least, and a minute at most
     */
    public static long nanosUntil(Instant until, InstantSource clock) {
        Instant now = clock.instant();
        if (!until.isBefore(now.plus(LONGEST_TIMER))) {
            return LONGEST_TIMER.toNanos();
        }
        Duration left = Duration.between(now, until);
        return left.compareTo(SHORTEST_TIMER) < 0 ? SHORTEST_TIMER.toNanos() : left.toNanos();
    }

    private boolean isOver() {
        return closed || refusal.get() != null;
    }

    private void requireNoRefusal() {
        StatusException ended = refusal.get();
        if (ended != null) {
            throw ended;
        }
    }

    private long now() {
        return ports.nanoClock().getAsLong();
    }

    private static StatusException rulesUnavailable() {
        return new StatusException(
                new FailureStatus(
                        504,
                        "Timeout",
                        "the rules of access were not known as of the next event within %d s"
                                .formatted(PATIENCE.toSeconds())));
    }
}
