package io.tidemark.connector.lead;

import io.tidemark.connector.lead.Leadership.Candidate;
import io.tidemark.connector.lead.Leadership.LeadershipState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads without an election, as a topic's only connector. When it is fenced, it leads again after a
 * pause: no other connector would write the topic.
 */
public final class SoleLeadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SoleLeadership.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final String topic;
    private final Candidate candidate;
    private final Duration afterFence = ElectionTiming.DEFAULT.afterFence();
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * @param topic for messages
     */
    public SoleLeadership(String topic, Candidate candidate) {
        this.topic = topic;
        this.candidate = candidate;
        this.thread = Thread.ofPlatform().name("tidemark-lead").unstarted(this::run);
    }

    /** Leads; returns at once. */
    public void start() {
        candidate.lead();
        thread.start();
    }

    private void run() {
        try {
            while (candidate.state() != LeadershipState.FAILED && !isClosingWithin(POLL)) {
                if (candidate.state() == LeadershipState.FENCED && !closesInPause()) {
                    candidate.lead();
                }
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            candidate.stepDown();
            ended.countDown();
        }
    }

    /** Steps down, and waits for as long as an elected connector does before it joins again. */
    private boolean closesInPause() throws InterruptedException {
        String why =
                "another producer has fenced this one of topic %s; it writes again in %d s"
                        .formatted(topic, afterFence.toSeconds());
        LOG.warn("{}", why);
        candidate.stepDown();
        candidate.leaveElection(why);
        return isClosingWithin(afterFence);
    }

    private boolean isClosingWithin(Duration pause) throws InterruptedException {
        return closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until it is closed, or the candidate fails. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Steps down, and returns once that is done or has timed out. */
    @Override
    public void close() {
        closing.countDown();
        try {
            ended.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
