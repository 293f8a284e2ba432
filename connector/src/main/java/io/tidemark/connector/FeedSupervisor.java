package io.tidemark.connector;

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
 * The feed of a connector that may lead several times, or never: each time is a loop of its own,
 * from the beginning, since another connector may have written in between.
 */
final class FeedSupervisor implements Leadership.Candidate, Barriers.Feed {
    private static final Logger LOG = LoggerFactory.getLogger(FeedSupervisor.class);
    private static final Duration STOP = Duration.ofSeconds(5);

    /** Of a loop that has nothing to commit. */
    private static final Duration STOP_IDLE = Duration.ofMillis(200);

    /** From one list that was asked for to the next. */
    private static final Duration BETWEEN_LISTS = Duration.ofMinutes(1);

    private final Supplier<FeedLoop> loops;

    /** No list is begun before, in nanoseconds of the system's clock. */
    private long nextListNanos = System.nanoTime();

    /** The newest; null before the first. */
    private volatile @Nullable Term newest;

    private volatile boolean leading;
    private volatile boolean isStandby;

    /** Why it is not in the election; null when it is. */
    private volatile @Nullable String outOfElectionReason;

    private record Term(FeedLoop loop, Thread thread) {}

    FeedSupervisor(Supplier<FeedLoop> loops) {
        this.loops = loops;
    }

    @Override
    public void lead() {
        FeedLoop loop = loops.get();
        Thread thread = Thread.ofPlatform().name("tidemark-feed").unstarted(loop);
        newest = new Term(loop, thread);
        leading = true;
        isStandby = false;
        outOfElectionReason = null;
        thread.start();
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
        Term ending = newest;
        if (!leading || ending == null) {
            return;
        }
        leading = false;
        boolean idle = ending.loop().hasNothingToCommit();
        ending.loop().stop();
        try {
            if (idle && !ending.loop().awaitEnd(STOP_IDLE)) {
                LOG.debug("it ends by itself, once etcd's answer is given up");
                return;
            }
            if (!ending.loop().awaitEnd(STOP)) {
                LOG.warn("Kafka or etcd does not answer; what is not committed is left");
                ending.thread().interrupt();
            }
        } catch (InterruptedException _) {
            ending.thread().interrupt();
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

    /** Of the newest term, over or not; null before the first. */
    @Nullable FeedLoop loop() {
        Term term = newest;
        return term == null ? null : term.loop();
    }

    /** Whether another connector writes, as far as is known here. */
    boolean isStandby() {
        return isStandby;
    }

    /** Why it neither leads nor stands by; null when it does. */
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
     * Has everything of an epoch told again, in a new one; not again soon after the last time.
     *
     * @return the epoch that is written now; when it is still the same, a new one may be on its way
     */
    synchronized OptionalLong relist(long epoch, String why) {
        FeedLoop loop = leadingLoop();
        ResumePoint.At now = loop == null ? null : loop.history();
        if (loop == null || now == null || now.epoch() < epoch) {
            return OptionalLong.empty();
        }
        long nanos = System.nanoTime();
        if (now.epoch() == epoch && nanos - nextListNanos >= 0) {
            nextListNanos = nanos + BETWEEN_LISTS.toNanos();
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
