package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.lead.Leadership;
import io.tidemark.connector.lead.Leadership.LeadershipState;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the feed of a connector that may lead several times, or never. Each term is a new loop that
 * starts from the topic, since another connector may have written in between.
 */
public final class FeedSupervisor implements Leadership.Candidate, Barriers.Feed {
    private static final Logger LOG = LoggerFactory.getLogger(FeedSupervisor.class);
    private static final Duration STOP = Duration.ofSeconds(5);

    /** For a loop that has nothing to commit. */
    private static final Duration STOP_IDLE = Duration.ofMillis(200);

    /** From one requested relist to the next. */
    private static final Duration MIN_RELIST_INTERVAL = Duration.ofMinutes(1);

    private final Supplier<FeedTerm> terms;
    private final Runnable afterTerm;
    private final TimeSource time;
    private final Duration relistInterval;

    /** No relist before this time, in nanoseconds of the clock. */
    private long nextListNanos;

    /** The newest term; null before the first. */
    private volatile @Nullable FeedTerm newest;

    private volatile boolean leading;
    private volatile boolean isStandby;

    /** Why this connector is not in the election; null when it is. */
    private volatile @Nullable String outOfElectionReason;

    /**
     * @param terms makes the run of a new feed, which has not started
     * @param afterTerm runs when this connector stops leading; its last feed may still end
     */
    public FeedSupervisor(Supplier<FeedTerm> terms, Runnable afterTerm) {
        this(terms, afterTerm, TimeSource.SYSTEM, MIN_RELIST_INTERVAL);
    }

    /**
     * The same with another clock.
     *
     * @param relistInterval least time from one requested relist to the next
     */
    public FeedSupervisor(Supplier<FeedTerm> terms, TimeSource time, Duration relistInterval) {
        this(terms, () -> {}, time, relistInterval);
    }

    private FeedSupervisor(
            Supplier<FeedTerm> terms,
            Runnable afterTerm,
            TimeSource time,
            Duration relistInterval) {
        this.terms = terms;
        this.afterTerm = afterTerm;
        this.time = time;
        this.relistInterval = relistInterval;
        this.nextListNanos = time.nanoTime();
    }

    @Override
    public void lead() {
        FeedTerm term = terms.get();
        newest = term;
        leading = true;
        isStandby = false;
        outOfElectionReason = null;
        term.start();
    }

    @Override
    public void enterStandby() {
        outOfElectionReason = null;
        isStandby = true;
    }

    @Override
    public void leaveElection(String why) {
        isStandby = false;
        outOfElectionReason = why;
    }

    @Override
    public void stepDown() {
        FeedTerm ending = newest;
        if (!leading || ending == null) {
            return;
        }
        leading = false;
        afterTerm.run();
        ending.loop().stop();
        boolean idle = ending.loop().hasNothingToCommit();
        try {
            if (idle && !ending.awaitEnd(STOP_IDLE)) {
                LOG.debug("the loop ends by itself once its request to etcd times out");
                return;
            }
            if (!ending.awaitEnd(STOP)) {
                LOG.warn(
                        "the feed did not stop within {} s: interrupting it, which aborts its"
                                + " transaction",
                        STOP.toSeconds());
                ending.interrupt();
            }
        } catch (InterruptedException _) {
            ending.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public LeadershipState state() {
        FeedLoop loop = loop();
        if (!leading || loop == null || !loop.hasEnded()) {
            return LeadershipState.ACTIVE;
        }
        return loop.state() instanceof FeedState.Stopped(_, FeedState.End end)
                        && end == FeedState.End.FENCED
                ? LeadershipState.FENCED
                : LeadershipState.FAILED;
    }

    /** The newest term's loop, ended or not; null before the first. */
    @Nullable FeedLoop loop() {
        FeedTerm term = newest;
        return term == null ? null : term.loop();
    }

    /** Whether another connector writes, as far as this one knows. */
    boolean isStandby() {
        return isStandby;
    }

    /** Why this connector is neither leader nor standby; null when it is one of them. */
    @Nullable String outOfElectionReason() {
        return outOfElectionReason;
    }

    private @Nullable FeedLoop leadingLoop() {
        return leading ? loop() : null;
    }

    @Override
    public ResumePoint.@Nullable At history() {
        FeedLoop loop = leadingLoop();
        return loop == null ? null : loop.history();
    }

    @Override
    public void await(long revision) {
        FeedLoop loop = leadingLoop();
        if (loop != null) {
            loop.await(revision);
        }
    }

    /**
     * Requests a relist of an epoch, in a new one; ignored within the interval since the last.
     *
     * @return the epoch that is written now; when it is unchanged, a new one may be on its way
     */
    public synchronized OptionalLong relist(long epoch, String why) {
        FeedLoop loop = leadingLoop();
        ResumePoint.At now = loop == null ? null : loop.history();
        if (loop == null || now == null || now.epoch() < epoch) {
            return OptionalLong.empty();
        }
        long nanos = time.nanoTime();
        if (now.epoch() == epoch && nanos - nextListNanos >= 0) {
            nextListNanos = nanos + relistInterval.toNanos();
            loop.relist(epoch, why);
        }
        return OptionalLong.of(now.epoch());
    }

    @Override
    public void requestEtcdCheck(String why) {
        FeedLoop loop = leadingLoop();
        if (loop != null) {
            loop.requestEtcdCheck(why);
        }
    }
}
