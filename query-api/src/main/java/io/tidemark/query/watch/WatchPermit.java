package io.tidemark.query.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The right of one open watch. Before the watch sends something, it asks {@link #allows}: the rules
 * must be known as of what is sent or later, and the watch must have been judged by them.
 *
 * <p>It judges again after each change of rules or credentials and when the credentials expire, on
 * {@link Ports#judges}. Once the right has ended, {@link #check} and {@link #allows} throw the
 * reason, and the watch has {@link Ports#grace} to send it. Then it is aborted if its client does
 * not read; a watch that a busy node delays has up to {@link #PATIENCE}.
 *
 * <p>{@link #check}, {@link #allows} and {@link #require} are for one thread at a time, the others
 * for any. It has no thread and no clock.
 */
public final class WatchPermit implements AutoCloseable {
    /**
     * How long a watch waits for rules, or for a judgement, before it ends with an error; and how
     * long at most it lasts once its right has ended.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a client that reads slowly may take for the reason of the end, by default. */
    public static final Duration GRACE = Duration.ofSeconds(1);

    /** A clock may be set, so an expiry further ahead is looked at again after this time. */
    private static final Duration LONGEST_TIMER = Duration.ofMinutes(1);

    private static final Duration SHORTEST_TIMER = Duration.ofMillis(1);

    private static final Runnable NOTHING = () -> {};

    /** The right of all watches of a node without access control: it is never judged. */
    public static final WatchPermit EVERYTHING =
            new WatchPermit(
                    Permit.EVERYTHING,
                    new Ports(() -> 0, InstantSource.system(), Runnable::run, (_, _) -> NOTHING),
                    new Unlimited());

    private final Permit permit;
    private final Ports ports;
    private final Watch watch;
    private final WatchJudgements judgements;

    /** Whether the watch has something that it may not send yet. */
    private volatile boolean holding;

    /** Whether {@link #rulesCame} is to signal. */
    private volatile boolean awaiting;

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
     * @param grace between the end of the right and the abort of a watch whose client does not read
     */
    public record Ports(
            LongSupplier nanoClock,
            InstantSource clock,
            Executor judges,
            Timers timers,
            Duration grace) {
        public Ports(LongSupplier nanoClock, InstantSource clock, Executor judges, Timers timers) {
            this(nanoClock, clock, judges, timers, GRACE);
        }
    }

    /** The watch. Its methods are called on any thread and must be quick. */
    public interface Watch {
        /** What was not allowed may be allowed now, or the right has ended. */
        void signal();

        /** The right has ended; called once. */
        void refused(StatusException why);

        /** Whether it waits for its client to read what it writes. */
        boolean isWriting();

        /** The watch has not ended in time: breaks its connection off. */
        void abort();
    }

    /** Never called. */
    private static final class Unlimited implements Watch {
        @Override
        public void signal() {}

        @Override
        public void refused(StatusException why) {}

        @Override
        public boolean isWriting() {
            return false;
        }

        @Override
        public void abort() {}
    }

    public WatchPermit(Permit permit, Ports ports, Watch watch) {
        this.permit = permit;
        this.ports = ports;
        this.watch = watch;
        this.judgements = new WatchJudgements(permit, ports, watch, this::signalIfHolding);
    }

    /** Begins to follow changes; once. The permit has been judged before. */
    public void open() {
        if (isLimited()) {
            judgements.open();
        }
    }

    /** The watch is over. */
    @Override
    public void close() {
        if (isLimited()) {
            judgements.close();
            release();
        }
    }

    /** Whether the right can end. */
    public boolean isLimited() {
        return permit != Permit.EVERYTHING;
    }

    /**
     * @throws StatusException why the right has ended
     */
    public void check() {
        judgements.requireNoRefusal();
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
        judgements.requireNoRefusal();
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
        judgements.requireNoRefusal();
        return false;
    }

    /**
     * Judges now, for a thread that may block.
     *
     * @throws StatusException why the right has ended
     */
    public void require() throws InterruptedException {
        judgements.requireNoRefusal();
        try {
            permit.require();
        } catch (StatusException e) {
            judgements.refuse(e);
            throw e;
        }
    }

    /**
     * Asks for the rules first: then those that were judged by are as new as the revision. And once
     * more, since a caller who needed no rules until now may just have been judged as one who does.
     */
    private boolean isAllowed(long epoch, long revision) {
        return permit.covers(epoch, revision)
                && permit.isCurrent()
                && permit.covers(epoch, revision);
    }

    private void hold(long epoch, long revision) {
        if (!holding) {
            holding = true;
            heldSince = now();
            endPatience = ports.timers().at(heldSince + PATIENCE.toNanos(), watch::signal);
        }
        if (now() - heldSince >= PATIENCE.toNanos()) {
            judgements.refuse(judgements.undecided().orElseGet(WatchPermit::rulesUnavailable));
        } else if (permit.covers(epoch, revision)) {
            judgements.judgeUnlessCurrent();
        } else {
            awaitRules(epoch, revision);
        }
    }

    private void signalIfHolding() {
        if (holding) {
            watch.signal();
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
