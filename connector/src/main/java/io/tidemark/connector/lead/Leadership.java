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
 * Elects one of the connectors of a topic: the member of a Kafka group that holds the one partition
 * of a control topic. Kafka may be wrong about it for a moment, as when a process was stopped and
 * goes on: that it then writes nothing is the fence's work, see {@link
 * io.tidemark.connector.sink.KafkaChangeSink}. This here sees to it that somebody writes: whoever
 * cannot reach etcd leaves the group to those who can, see {@link StepDownPolicy}.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LEAVE = Duration.ofSeconds(2);

    /** Between two looks at who else is in the group. */
    private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();

    /** Whoever was shut out gives the new leader this much time before it stands again. */
    private static final Duration AFTER_FENCE = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private final TopicSettings topic;
    private final Candidate candidate;
    private final EtcdReachabilityProbe reach;
    private final ClockStepDetector clock;
    private final StepDownPolicy resignation = StepDownPolicy.DEFAULT;
    private final RejoinBackoff absence = new RejoinBackoff();
    private final HeartbeatMonitor membership = new HeartbeatMonitor();
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean shortSession = true;

    /** Tries in a row that failed. */
    private int failures;

    /** In the group, as of the last poll. */
    private Role role = Role.JOINING;

    /** Whether it left the group because of etcd. */
    private boolean away;

    /** Of the last look at the others. */
    private long lookedAt = System.nanoTime() - LOOK_EVERY;

    /** What is elected. Its methods are called by one thread. */
    public interface Candidate {
        /** Begins to write; returns at once. */
        void lead();

        /** Another one leads. */
        void enterStandby();

        /**
         * Stops writing, and returns when that is so or cannot be waited for any longer; does
         * nothing when it does not lead.
         */
        void stepDown();

        /**
         * It is out of the election for a while; {@link #lead} or {@link #enterStandby} end that.
         */
        void leaveElection(String why);

        /** How its lead is going. */
        LeadershipState state();
    }

    /** How a lead is going. */
    public enum LeadershipState {
        /** It leads, or does not. */
        ACTIVE,
        /** Another connector has shut it out. */
        FENCED,
        /** It ended for a reason that will not pass. */
        FAILED
    }

    /**
     * @param reach becomes its own: is started and closed with it
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

    /** Begins to stand for it; returns at once. */
    public void start() {
        reach.start();
        thread.start();
    }

    /**
     * For how long the brokers have not answered as to a member of the group: it could not take
     * over then. For any thread.
     */
    public Duration sinceLastHeartbeat() {
        return membership.sinceLastHeartbeat();
    }

    /** Waits until it stands no more: it was closed, or the candidate failed. */
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
                    // The brokers' bounds are not known before: their default lets 6 s be.
                    shortSession = false;
                } catch (ExecutionException | TimeoutException | KafkaException e) {
                    tell(e);
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

    /** At the first failure, then at distances that double: it may last for hours. */
    private void tell(Exception e) {
        failures++;
        boolean due = Integer.bitCount(failures) == 1;
        LOG.atLevel(due ? Level.WARN : Level.DEBUG)
                .log(
                        "cannot stand for the lead of topic {}, try {}: {}",
                        topic.name(),
                        failures,
                        reason(e));
    }

    private void awaitEtcd() throws InterruptedException {
        if (!away) {
            return;
        }
        while (closing.getCount() > 0 && !resignation.mayRejoin(reach.unreachableFor())) {
            boolean _ = closing.await(POLL.toNanos(), TimeUnit.NANOSECONDS);
        }
        away = false;
        LOG.info("etcd answers: this connector stands again for topic {}", topic.name());
    }

    /** One membership of the group; returns how long to wait before the next. */
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
            membership.track(member);
            long began = System.nanoTime();
            member.subscribe(List.of(topic.control()), new Assignments(member));
            while (closing.getCount() > 0 && candidate.state() == LeadershipState.ACTIVE && !away) {
                if (!polled(member, alarm)) {
                    return Duration.ZERO;
                }
                away = resigns(others);
            }
            if (away) {
                Duration stood = Duration.ofNanos(System.nanoTime() - began);
                return absence.after(stood, ThreadLocalRandom.current().nextDouble());
            }
            if (candidate.state() == LeadershipState.FENCED) {
                LOG.warn("another connector writes topic {}; standing by", topic.name());
                return AFTER_FENCE;
            }
            return Duration.ZERO;
        } finally {
            // In this order: what was written is committed before the next one may begin.
            candidate.stepDown();
            member.close(CloseOptions.timeout(LEAVE));
        }
    }

    /** False when the clock was set back: neither this member nor what writes here goes on. */
    private boolean polled(Consumer<byte[], byte[]> member, ClockStepAlarm alarm) {
        try {
            member.poll(POLL);
            membership.update();
            return true;
        } catch (WakeupException _) {
            LOG.warn(
                    "this machine's clock was set back by {} s: standing anew for topic {}",
                    alarm.setBack().toSeconds(),
                    topic.name());
            return false;
        }
    }

    private boolean resigns(GroupMembers others) throws InterruptedException {
        Duration lost = reach.unreachableFor();
        boolean resigns =
                switch (resignation.advice(role, lost)) {
                    case STAY -> false;
                    case LEAVE -> true;
                    case LEAVE_IF_OTHERS_REMAIN -> lookDue() && others.hasOthers();
                };
        if (resigns) {
            String why =
                    "etcd has not answered for %d s: %s"
                            .formatted(
                                    lost.toSeconds(),
                                    role == Role.LEADER
                                            ? "another connector is to lead"
                                            : "not ready to take over");
            LOG.warn("{} (topic {})", why, topic.name());
            candidate.stepDown();
            candidate.leaveElection(why);
        }
        return resigns;
    }

    private boolean lookDue() {
        long now = System.nanoTime();
        boolean due = now - lookedAt >= LOOK_EVERY;
        if (due) {
            lookedAt = now;
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
                member.pause(partitions); // Nothing is read: it is held, not looked at.
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
                // Also when it leaves by itself: it has said already that it stays away.
                if (!away) {
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
