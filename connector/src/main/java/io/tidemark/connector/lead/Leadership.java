package io.tidemark.connector.lead;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.ClockStepDetector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of the connectors of a topic: the member of a Kafka consumer group that holds the
 * single partition of a control topic. Kafka's answer may be outdated for a moment, for example
 * when a suspended process resumes: producer fencing then keeps it from writing, see {@link
 * io.tidemark.connector.sink.KafkaChangeSink}. The election provides that some connector writes:
 * one that cannot reach etcd leaves the group to those that can. This runs {@link Election} in a
 * thread.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final Election election;
    private final KafkaElectionGroup group;
    private final EtcdReachabilityProbe reach;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** What is elected. One thread calls its methods. */
    public interface Candidate {
        /** Starts to write; returns at once. */
        void lead();

        /** Another connector leads. */
        void enterStandby();

        /**
         * Stops writing, and returns once that is done or has timed out; does nothing when it does
         * not lead.
         */
        void stepDown();

        /** The candidate is out of the election until {@link #lead} or {@link #enterStandby}. */
        void leaveElection(String why);

        /** State of its leadership. */
        LeadershipState state();
    }

    /** State of a candidate's leadership. */
    public enum LeadershipState {
        /** It leads, or is on standby. */
        ACTIVE,
        /** Another connector has fenced it. */
        FENCED,
        /** It ended for a reason that a retry does not cure. */
        FAILED
    }

    /**
     * @param reach owned by the election: started and closed with it
     */
    public Leadership(
            KafkaClients clients,
            TopicSettings topic,
            Candidate candidate,
            EtcdReachabilityProbe reach) {
        this(clients, topic, candidate, reach, new ClockStepDetector());
    }

    Leadership(
            KafkaClients clients,
            TopicSettings topic,
            Candidate candidate,
            EtcdReachabilityProbe reach,
            ClockStepDetector clock) {
        this.reach = reach;
        this.group = new KafkaElectionGroup(clients, topic, clock);
        this.election =
                new Election(topic.name(), group, candidate, new Machine(), ElectionTiming.DEFAULT);
        this.thread = Thread.ofPlatform().name("tidemark-lead").unstarted(this::run);
    }

    /** Joins the election; returns at once. */
    public void start() {
        reach.start();
        thread.start();
    }

    /**
     * For how long the brokers have not confirmed this member of the group, during which it could
     * not take over. Thread-safe.
     */
    public Duration sinceLastHeartbeat() {
        return group.sinceLastHeartbeat();
    }

    /** Waits until the election ends: it was closed, or the candidate failed. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /**
     * Waits for the end of a closed election; interrupts it after the timeout, since a request to
     * Kafka may take longer.
     *
     * @return whether it ended before
     */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        boolean inTime = ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (!inTime) {
            LOG.warn("the election did not end within {} s: interrupting it", timeout.toSeconds());
            thread.interrupt();
        }
        return inTime;
    }

    private void run() {
        try {
            election.run();
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            reach.close();
            ended.countDown();
        }
    }

    /** Steps down, leaves the group, so that another is elected at once, and ends. */
    @Override
    public void close() {
        closing.countDown();
    }

    private final class Machine implements ElectionRuntime {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            boolean _ = closing.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public boolean isClosing() {
            return closing.getCount() == 0;
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public Duration etcdUnreachableFor() {
            return reach.unreachableFor();
        }
    }
}
