package io.tidemark.connector.lead;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.ClockStepAlarm;
import io.tidemark.reading.ClockStepDetector;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The election's group: a Kafka consumer group with the single partition of a control topic. */
final class KafkaElectionGroup implements ElectionGroup {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaElectionGroup.class);
    private static final Duration LEAVE = Duration.ofSeconds(2);

    private final KafkaClients clients;
    private final TopicSettings topic;
    private final ClockStepDetector clock;
    private final HeartbeatMonitor heartbeats = new HeartbeatMonitor();
    private boolean shortSession = true;

    KafkaElectionGroup(KafkaClients clients, TopicSettings topic, ClockStepDetector clock) {
        this.clients = clients;
        this.topic = topic;
        this.clock = clock;
    }

    /** For how long the brokers have not confirmed this member. Thread-safe. */
    Duration sinceLastHeartbeat() {
        return heartbeats.sinceLastHeartbeat();
    }

    @Override
    public Membership join(Assignments assignments)
            throws ExecutionException, TimeoutException, InterruptedException {
        Admin admin = clients.admin();
        try {
            new MirrorTopics(admin, topic, clients.bootstrap()).prepareControl();
            return new Member(admin, assignments);
        } catch (Throwable e) {
            admin.close(KafkaClients.CLOSE_ADMIN);
            throw e;
        }
    }

    private final class Member implements Membership {
        private final Admin admin;
        private final GroupMembers members;
        private final Consumer<byte[], byte[]> consumer;
        private final ClockStepAlarm alarm;

        Member(Admin admin, Assignments assignments) {
            this.admin = admin;
            this.members = new GroupMembers(admin, topic.control());
            this.consumer = clients.member(topic.control(), shortSession);
            heartbeats.track(consumer);
            consumer.subscribe(List.of(topic.control()), new Listener(consumer, assignments));
            this.alarm = new ClockStepAlarm(clock, _ -> consumer.wakeup());
        }

        @Override
        public boolean poll(Duration timeout) {
            try {
                consumer.poll(timeout);
                heartbeats.update();
                return true;
            } catch (InvalidSessionTimeoutException e) {
                if (!shortSession) {
                    throw e;
                }
                // The brokers' bounds are unknown beforehand; their default minimum allows 6 s.
                shortSession = false;
                return false;
            } catch (WakeupException _) {
                LOG.warn(
                        "this machine's clock was set back by {} s: rejoining the election of"
                                + " topic {}",
                        alarm.setBack().toSeconds(),
                        topic.name());
                return false;
            }
        }

        @Override
        public boolean hasOthers() throws InterruptedException {
            return members.hasOthers();
        }

        @Override
        public void close() {
            try {
                alarm.close();
                consumer.close(CloseOptions.timeout(LEAVE));
            } finally {
                admin.close(KafkaClients.CLOSE_ADMIN);
            }
        }
    }

    private record Listener(Consumer<byte[], byte[]> consumer, Assignments assignments)
            implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                consumer.pause(partitions); // The partition is a lock; nothing is read.
                assignments.assigned();
            } else if (consumer.assignment().isEmpty()) {
                assignments.unassigned();
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                assignments.revoked();
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            onPartitionsRevoked(partitions);
        }
    }
}
