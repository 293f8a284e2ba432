package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.record.Bytes;
import io.tidemark.streams.NodeProgress.Phase;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.waits.LongTest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A node against a real broker: live, restarted with and without its state, and killed. */
class StreamsNodeIT {

    /** The commit interval: a standby has time to read past the commits. */
    private static final Duration RARELY = Duration.ofSeconds(3);

    private static EmbeddedKafka kafka;

    @TempDir private Path folder;
    private String topicName;
    private MirrorTopic topic;

    @BeforeAll
    static void startKafka(@TempDir Path data) throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(data));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void makeTopic(TestInfo test) {
        topicName = test.getTestMethod().orElseThrow().getName();
        topic = new MirrorTopic(kafka.bootstrapServers(), topicName);
    }

    @AfterEach
    void endTopic() {
        topic.close();
    }

    private StreamsSettings settings() {
        return NodeProcess.settings(kafka.bootstrapServers(), topicName, folder);
    }

    private static AllPartitionsReader awaitAt(StreamsNode node, long revision) {
        AllPartitionsReader reading = new AllPartitionsReader(node.directory());
        await().until(() -> reading.isAt(revision));
        return reading;
    }

    @Test
    void waitsForTheTopicAndReadsItLive() throws Exception {
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            await().until(() -> node.progress().detail().contains("does not exist yet"));
            assertThat(node.progress().phase()).isEqualTo(Phase.WAITING_FOR_TOPIC);
            assertThat(node.directory().partitions()).isZero();

            topic.create(Map.of());
            topic.list();
            topic.put("/a/1", "/b/1");
            topic.garbage();
            long seen = topic.mark();
            topic.put("/a/2"); // No mark covers it.
            AllPartitionsReader reading = awaitAt(node, seen);

            assertThat(reading.at(seen))
                    .containsExactly(Map.entry("/a/1", 101L), Map.entry("/b/1", 102L));
            assertThat(reading.changesAfter(100)).hasSize(2);
            long through = topic.mark();
            awaitAt(node, through);
            topic.delete("/a/1");
            long end = topic.mark();
            awaitAt(node, end);
            assertThat(reading.at(end)).containsOnlyKeys("/b/1", "/a/2");
            assertThat(reading.at(seen)).containsOnlyKeys("/a/1", "/b/1");
            assertThat(reading.changesAfter(100)).containsEntry(end, "/a/1 null<-101");
            await().until(() -> node.progress().phase() == Phase.RUNNING);
            assertThat(node.progress().restored()).isEqualTo(node.progress().total());
        }
    }

    /** Kafka Streams makes a producer, and a node has no right to write. */
    @Test
    void neverAsksForTheIdOfAProducer() throws Exception {
        topic.create(Map.of());
        topic.list();
        long end = topic.mark();
        long before = requestsForProducerIds();
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            awaitAt(node, end);
            await().until(() -> node.progress().phase() == Phase.RUNNING);
        }
        assertThat(requestsForProducerIds()).isEqualTo(before);
    }

    /** As the broker in this process counts them; the topic's writer sent one. */
    private static long requestsForProducerIds() throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        long requests = 0;
        for (ObjectName each :
                beans.queryNames(
                        new ObjectName(
                                "kafka.network:type=RequestMetrics,name=RequestsPerSec,"
                                        + "request=InitProducerId,*"),
                        null)) {
            requests += (long) beans.getAttribute(each, "Count");
        }
        assertThat(requests).isPositive();
        return requests;
    }

    /** A connector of a later release writes a format that this node does not know. */
    @Test
    void stopsAReplicaBeforeARecordOfANewerFormat() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long known = topic.mark();
        for (int restart = 0; restart < 2; restart++) {
            try (StreamsNode node = new StreamsNode(settings())) {
                node.start();
                if (restart == 0) {
                    AllPartitionsReader reading = awaitAt(node, known);
                    assertThat(reading.at(known)).containsOnlyKeys("/a/1", "/b/1");
                    await().until(() -> node.progress().phase() == Phase.RUNNING);
                    topic.newerFormat(0, "/a/2");
                    topic.newerFormat(1, "/a/2");
                    topic.put("/a/3", "/b/3");
                    topic.mark();
                }
                await().until(() ->
                        node.progress()
                                .detail()
                                .startsWith(
                                        "replicas of partitions [0, 1] stopped: a record"
                                                + " has format 2"));
                for (int partition = 0; partition < MirrorTopic.PARTITIONS; partition++) {
                    PartitionState state = node.directory().view(partition).state();
                    assertThat(state.watermark()).isEqualTo(known);
                    // After a restart it would have to catch up first.
                    assertThat(state.ready()).isEqualTo(restart == 0);
                }
                assertThat(node.progress().phase()).isIn(Phase.RESTORING, Phase.RUNNING);
            }
        }
    }

    /**
     * A standby that stopped at the commits would never have an offset above them. When this fails
     * with another version of Kafka: does its restore consumer still return records of standbys
     * above the committed offset? ReadAhead depends on it.
     */
    @Test
    void standbyReadsPastTheCommittedOffsets() throws Exception {
        topic.create(Map.of());
        topic.list();
        try (StreamsNode active = node("active");
                StreamsNode standby = node("standby")) {
            active.start();
            standby.start();
            await().until(() ->
                    active.progress().phase() == Phase.RUNNING
                            && standby.progress().phase() == Phase.RUNNING
                            && active.progress().partitions().size() == MirrorTopic.PARTITIONS
                            && standby.progress().partitions().size() == MirrorTopic.PARTITIONS);
            await().until(() -> {
                topic.put("/a/1", "/b/1");
                topic.mark();
                return hasReadToCommits(active) && hasReadToCommits(standby);
            });
        }
    }

    /** Whether every replica here has read to the group's committed offset or beyond. */
    private boolean hasReadToCommits(StreamsNode node) throws Exception {
        Map<Integer, Long> committed = topic.committedBy("app-" + topicName);
        for (int p = 0; p < MirrorTopic.PARTITIONS; p++) {
            // The committed offset is that of the next record.
            if (node.directory().view(p).state().appliedOffset() < committed.getOrDefault(p, 0L)) {
                return false;
            }
        }
        return true;
    }

    private StreamsNode node(String name) {
        return new StreamsNode(
                NodeProcess.settings(
                        kafka.bootstrapServers(),
                        topicName,
                        folder.resolve(name),
                        1,
                        Map.of("commit.interval.ms", RARELY.toMillis())));
    }

    @Test
    void continuesWithItsStateAfterARestart() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/a/2", "/b/1");
        long before = topic.mark();
        topic.commit();
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            awaitAt(node, before);
        }
        topic.put("/a/1");
        topic.delete("/b/1");
        long after = topic.mark();
        topic.commit(); // The topic ends in a transaction marker.
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            AllPartitionsReader reading = awaitAt(node, after);
            assertThat(reading.highestFloor()).isEqualTo(100);
            assertThat(reading.changesAfter(before))
                    .containsExactly(
                            Map.entry(104L, "/a/1 104<-101"), Map.entry(105L, "/b/1 null<-103"));
            assertThat(reading.at(before)).containsOnlyKeys("/a/1", "/a/2", "/b/1");
        }
    }

    @Test
    void rebuildsTheWholeHistoryWithoutState() throws Exception {
        topic.create(Map.of());
        topic.list();
        long after = 0;
        for (int i = 0; i < 50; i++) {
            topic.put("/a/" + i % 7, "/b/" + i % 5);
            after = topic.mark();
        }
        topic.commit();
        Map<Long, String> changes;
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            changes = awaitAt(node, after).changesAfter(100);
            assertThat(changes).hasSize(100);
        }
        wipe(folder);
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            AllPartitionsReader reading = awaitAt(node, after);
            assertThat(reading.changesAfter(100)).isEqualTo(changes);
            assertThat(reading.highestFloor()).isEqualTo(100);
            assertThat(reading.at(110)).hasSize(10);
        }
    }

    @Test
    @LongTest
    void losesNothingWhenKilled() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long after = topic.mark();
        for (int round = 0; round < 3; round++) {
            Process process = NodeProcess.start(kafka.bootstrapServers(), topicName, folder);
            try (BufferedReader out =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8))) {
                after = topic.put("/a/" + round, "/b/1");
                topic.mark();
                String line = out.readLine();
                while (line != null && !line.equals("at " + after)) {
                    line = out.readLine();
                }
                assertThat(line).isEqualTo("at " + after);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            AllPartitionsReader reading = awaitAt(node, after);
            assertThat(reading.changesAfter(100)).hasSize(8);
            assertThat(reading.at(after)).containsOnlyKeys("/a/0", "/a/1", "/a/2", "/b/1");
        }
    }

    @Test
    void standbyServesReads() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long after = topic.mark();
        topic.commit();
        try (StreamsNode one = new StreamsNode(withStandby("one"));
                StreamsNode two = new StreamsNode(withStandby("two"))) {
            one.start();
            awaitAt(one, after);
            two.start();
            assertThat(awaitAt(two, after).at(after)).containsOnlyKeys("/a/1", "/b/1");

            topic.put("/a/2", "/b/2");
            after = topic.mark();
            assertThat(awaitAt(one, after).changesAfter(100)).hasSize(4);
            assertThat(awaitAt(two, after).changesAfter(100)).hasSize(4);

            one.close();
            topic.delete("/a/2");
            topic.put("/b/3");
            after = topic.mark();
            assertThat(awaitAt(two, after).at(after))
                    .containsOnlyKeys("/a/1", "/b/1", "/b/2", "/b/3");
        }
    }

    private StreamsSettings withStandby(String node) {
        return NodeProcess.settings(kafka.bootstrapServers(), topicName, folder.resolve(node), 1);
    }

    @Test
    void rebuildsFromARecreatedTopic() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long after = topic.mark();
        topic.commit();
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            awaitAt(node, after);
        }
        topic.close();
        MirrorTopic.delete(kafka.bootstrapServers(), topicName);
        topic = new MirrorTopic(kafka.bootstrapServers(), topicName);
        await().ignoreExceptions().untilAsserted(() -> topic.create(Map.of()));
        topic.list();
        topic.put("/a/9", "/b/9");
        topic.commit();
        long again = topic.mark();
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            assertThat(awaitAt(node, again).at(again)).containsOnlyKeys("/a/9", "/b/9");
        }
    }

    /** Kafka's own clocks stay those of the machine, so their behaviour is not tested here. */
    @Test
    void rejoinsAfterABackwardClockStep() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long before = topic.mark();
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));
        try (StreamsNode node =
                new StreamsNode(settings(), () -> Instant.now().plus(ahead.get()))) {
            node.start();
            awaitAt(node, before);
            await().until(() -> node.progress().phase() == Phase.RUNNING);
            Set<String> members = topic.membersOf("app-" + topicName);
            assertThat(members).hasSize(1);
            Set<String> nodes = node.advertisedNodes();
            assertThat(nodes).containsExactly("this-node:1");

            ahead.set(Duration.ZERO);

            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        assertThat(node.advertisedNodes()).isEqualTo(nodes);
                        Set<String> now = topic.membersOf("app-" + topicName);
                        return now.size() == 1 && !now.equals(members);
                    });
            topic.put("/a/2");
            long after = topic.mark();
            assertThat(awaitAt(node, after).at(after)).containsOnlyKeys("/a/1", "/b/1", "/a/2");
            await().until(() -> node.progress().phase() == Phase.RUNNING);
        }
    }

    @Test
    void rebuildsACorruptFolder() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long after = topic.mark();
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            awaitAt(node, after);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path table : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                Files.writeString(table, "broken");
            }
        }
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            assertThat(awaitAt(node, after).at(after)).containsOnlyKeys("/a/1", "/b/1");
        }
    }

    @Test
    void viewOutlivesItsStore() throws Exception {
        topic.create(Map.of());
        topic.list();
        topic.put("/a/1", "/b/1");
        long after = topic.mark();
        PartitionView view;
        try (StreamsNode node = new StreamsNode(settings())) {
            node.start();
            awaitAt(node, after);
            view = node.directory().view(0);
        }
        ReadOutcome<Optional<StoredObject>> outcome =
                view.read(new GetRequest(Bytes.utf8("/a/1"), after));
        assertThat(outcome).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        assertThat(view.state().ready()).isFalse();
    }

    private static void wipe(Path tree) throws Exception {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
