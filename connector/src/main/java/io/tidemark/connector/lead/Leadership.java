package io.tidemark.connector.lead;

import io.tidemark.connector.lead.StepDownPolicy.Role;
import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.ClockStepAlarm;
import io.tidemark.reading.ClockStepDetector;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Elects one of the connectors of a topic: the member of a Kafka consumer group that holds the
 * single partition of a control topic. Kafka's answer may be outdated for a moment, for example
 * when a suspended process resumes: producer fencing then keeps it from writing, see {@link
 * io.tidemark.connector.sink.KafkaChangeSink}. The election provides that some connector writes:
 * one that cannot reach etcd leaves the group to those that can, see {@link StepDownPolicy}.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LEAVE = Duration.ofSeconds(2);

    /** Interval between lookups of the group's other members. */
    private static final long LOOKUP_INTERVAL = Duration.ofSeconds(1).toNanos();

    /** A fenced connector waits this long before it joins the election again. */
    private static final Duration AFTER_FENCE = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private final TopicSettings topic;
    private final Candidate candidate;
    private final EtcdReachabilityProbe reach;
    private final ClockStepDetector clock;
    private final StepDownPolicy stepDownPolicy = StepDownPolicy.DEFAULT;
    private final RejoinBackoff rejoinBackoff = new RejoinBackoff();
    private final HeartbeatMonitor heartbeats = new HeartbeatMonitor();
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean shortSession = true;

    /** Consecutive failed attempts. */
    private int failures;

    /** Role in the group, as of the last poll. */
    private Role role = Role.JOINING;

    /** Whether it left the group because etcd is unreachable. */
    private boolean outOfElection;

    /** Time of the last lookup of other members. */
    private long lookedUpAt = System.nanoTime() - LOOKUP_INTERVAL;

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
        this.clock = clock;
        this.clients = clients;
        this.topic = topic;
        this.candidate = candidate;
        this.reach = reach;
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
        return heartbeats.sinceLastHeartbeat();
    }

    /** Waits until the election ends: it was closed, or the candidate failed. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private void run() {
        try {
            while (closing.getCount() > 0 && candidate.state() != LeadershipState.FAILED) {
                Duration pause = PAUSE;
                try {
                    pause = joinElection();
                } catch (InvalidSessionTimeoutException _) {
                    // The brokers' bounds are unknown beforehand; their default minimum allows 6 s.
                    shortSession = false;
                } catch (ExecutionException | TimeoutException | KafkaException e) {
                    logFailure(e);
                }
                boolean _ = closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
                awaitEtcd();
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            candidate.stepDown();
            reach.close();
            ended.countDown();
        }
    }

    /** Logs the first failure, then at doubling distances: an outage may last for hours. */
    private void logFailure(Exception e) {
        failures++;
        boolean due = Integer.bitCount(failures) == 1;
        LOG.atLevel(due ? Level.WARN : Level.DEBUG)
                .log(
                        "cannot join the election of topic {}, attempt {}: {}",
                        topic.name(),
                        failures,
                        reason(e));
    }

    private void awaitEtcd() throws InterruptedException {
        if (!outOfElection) {
            return;
        }
        while (closing.getCount() > 0 && !stepDownPolicy.mayRejoin(reach.unreachableFor())) {
            boolean _ = closing.await(POLL.toNanos(), TimeUnit.NANOSECONDS);
        }
        outOfElection = false;
        LOG.info("etcd answers: this connector rejoins the election of topic {}", topic.name());
    }

    /** One heartbeats of the group; returns how long to wait before the next. */
    private Duration joinElection()
            throws ExecutionException, TimeoutException, InterruptedException {
        try (Admin admin = clients.admin()) {
            new MirrorTopics(admin, topic, clients.bootstrap()).prepareControl();
            return joinElection(new GroupMembers(admin, topic.control()));
        }
    }

    private Duration joinElection(GroupMembers others) throws InterruptedException {
        Consumer<byte[], byte[]> member = clients.member(topic.control(), shortSession);
        try (ClockStepAlarm alarm = new ClockStepAlarm(clock, _ -> member.wakeup())) {
            failures = 0;
            role = Role.JOINING;
            heartbeats.track(member);
            long began = System.nanoTime();
            member.subscribe(List.of(topic.control()), new Assignments(member));
            while (closing.getCount() > 0
                    && candidate.state() == LeadershipState.ACTIVE
                    && !outOfElection) {
                if (!polled(member, alarm)) {
                    return Duration.ZERO;
                }
                outOfElection = leaves(others);
            }
            if (outOfElection) {
                Duration joinedFor = Duration.ofNanos(System.nanoTime() - began);
                return rejoinBackoff.after(joinedFor, ThreadLocalRandom.current().nextDouble());
            }
            if (candidate.state() == LeadershipState.FENCED) {
                LOG.warn("another connector writes topic {}; on standby", topic.name());
                return AFTER_FENCE;
            }
            return Duration.ZERO;
        } finally {
            // In this order: what was written is committed before the next leader may start.
            candidate.stepDown();
            member.close(CloseOptions.timeout(LEAVE));
        }
    }

    /** False when the clock was set back: then this member and its producer must be replaced. */
    private boolean polled(Consumer<byte[], byte[]> member, ClockStepAlarm alarm) {
        try {
            member.poll(POLL);
            heartbeats.update();
            return true;
        } catch (WakeupException _) {
            LOG.warn(
                    "this machine's clock was set back by {} s: rejoining the election of topic {}",
                    alarm.setBack().toSeconds(),
                    topic.name());
            return false;
        }
    }

    private boolean leaves(GroupMembers others) throws InterruptedException {
        Duration unreachable = reach.unreachableFor();
        boolean leaves =
                switch (stepDownPolicy.advice(role, unreachable)) {
                    case STAY -> false;
                    case LEAVE -> true;
                    case LEAVE_IF_OTHERS_REMAIN -> lookupDue() && others.hasOthers();
                };
        if (leaves) {
            String why =
                    "etcd has not answered for %d s: %s"
                            .formatted(
                                    unreachable.toSeconds(),
                                    role == Role.LEADER
                                            ? "giving up leadership to another connector"
                                            : "leaving the election");
            LOG.warn("{} (topic {})", why, topic.name());
            candidate.stepDown();
            candidate.leaveElection(why);
        }
        return leaves;
    }

    private boolean lookupDue() {
        long now = System.nanoTime();
        boolean due = now - lookedUpAt >= LOOKUP_INTERVAL;
        if (due) {
            lookedUpAt = now;
        }
        return due;
    }

    private static String reason(Exception e) {
        Throwable cause =
                e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Steps down, leaves the group, so that another is elected at once, and ends. */
    @Override
    public void close() {
        closing.countDown();
    }

    private final class Assignments implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> member;

        Assignments(Consumer<byte[], byte[]> member) {
            this.member = member;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                member.pause(partitions); // The partition is a lock; nothing is read.
                role = Role.LEADER;
                LOG.info("leading: this connector writes topic {}", topic.name());
                candidate.lead();
            } else if (member.assignment().isEmpty()) {
                role = Role.STANDBY;
                candidate.enterStandby();
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                LOG.info("no longer leading");
                role = Role.STANDBY;
                candidate.stepDown();
                // Also called when this member leaves by itself: leaveElection was called already.
                if (!outOfElection) {
                    candidate.enterStandby();
                }
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            onPartitionsRevoked(partitions);
        }
    }
}
