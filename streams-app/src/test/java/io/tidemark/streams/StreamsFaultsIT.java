package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.streams.NodeProgress.Phase;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Known faults of Kafka Streams do not make a node lose records: docs/kafka-streams-faults.md. */
class StreamsFaultsIT {

    /**
     * Only so that a test may delete records: the mirror topic is compacted, and keeps its start.
     */
    private static final Map<String, String> DELETABLE =
            Map.of("cleanup.policy", "compact,delete", "retention.ms", "-1");

    @TempDir private static Path data;
    @AutoClose private static EmbeddedKafka kafka;

    @TempDir private Path folder;
    private final AtomicBoolean forgets = new AtomicBoolean();
    private final AtomicInteger forgotten = new AtomicInteger();
    private String topicName;
    private MirrorTopic topic;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(data));
    }

    @BeforeEach
    void makeTopic(TestInfo test) throws Exception {
        topicName = test.getTestMethod().orElseThrow().getName();
        topic = new MirrorTopic(kafka.bootstrapServers(), topicName);
        topic.create(DELETABLE);
        topic.list();
        topic.put("/a/1", "/b/1");
    }

    @AfterEach
    void endTopic() {
        topic.close();
    }

    /** One record a poll: otherwise the first poll of a restore brings all that is missing. */
    private StreamsSettings settings(String node, int standbys) {
        return NodeProcess.settings(
                kafka.bootstrapServers(),
                topicName,
                folder.resolve(node),
                standbys,
                Map.of("restore.consumer.max.poll.records", 1));
    }

    /** A node whose Streams sometimes finds no committed offsets. */
    private StreamsNode forgetful(String node, int standbys) {
        return new StreamsNode(
                settings(node, standbys), config -> new ForgetfulAdmin(config, forgets, forgotten));
    }

    private static AllPartitionsReader awaitAt(StreamsNode node, long revision) {
        AllPartitionsReader reading = new AllPartitionsReader(node.directory());
        await().until(() -> reading.isAt(revision));
        return reading;
    }

    /** Runs a node until it has committed all that the topic holds. */
    private void runAndCommit(String name) {
        long end = topic.mark();
        try (StreamsNode node = new StreamsNode(settings(name, 0))) {
            node.start();
            awaitAt(node, end);
            await().until(this::isCommitted);
        }
    }

    private boolean isCommitted() throws Exception {
        Map<Integer, Long> committed = topic.committedBy("app-" + topicName);
        for (int p = 0; p < MirrorTopic.PARTITIONS; p++) {
            if (committed.getOrDefault(p, 0L) <= topic.read(p).getLast().offset()) {
                return false;
            }
        }
        return true;
    }

    /** KAFKA-20416: the restore ends at once, and Streams continues at the committed offset. */
    @Test
    void readsWhatARestoreWithoutCommittedOffsetsSkipped() {
        runAndCommit("one");
        topic.put("/a/2", "/b/2", "/a/3", "/b/3");
        runAndCommit("two");
        topic.put("/a/4", "/b/4");
        forgets.set(true);
        try (StreamsNode node = forgetful("one", 0)) {
            node.start();
            await().until(() -> forgotten.get() > 0);
            AllPartitionsReader reading = awaitAt(node, topic.mark());
            assertThat(reading.at(108))
                    .containsOnlyKeys(
                            "/a/1", "/b/1", "/a/2", "/b/2", "/a/3", "/b/3", "/a/4", "/b/4");
            assertThat(reading.changesAfter(100)).hasSize(8);
        }
    }

    /** The same for a node without state. */
    @Test
    @LongTest
    void readsTheWholeTopicWhenARestoreWithoutCommittedOffsetsSkippedIt() {
        runAndCommit("one");
        topic.put("/a/2", "/b/2");
        forgets.set(true);
        try (StreamsNode node = forgetful("empty", 0)) {
            node.start();
            await().until(() -> forgotten.get() > 0);
            AllPartitionsReader reading = awaitAt(node, topic.mark());
            assertThat(reading.at(104)).containsOnlyKeys("/a/1", "/b/1", "/a/2", "/b/2");
            assertThat(reading.changesAfter(100)).hasSize(4);
        }
    }

    /** KAFKA-20416 for standbys: a limit that falls ends Streams' thread, which is replaced. */
    @Test
    @LongTest
    void aStandbyContinuesWhenCommittedOffsetsAreMissingForAWhile() {
        long before = topic.mark();
        try (StreamsNode active = new StreamsNode(settings("active", 1));
                StreamsNode standby = forgetful("standby", 1)) {
            active.start();
            awaitAt(active, before);
            await().until(() -> active.progress().phase() == Phase.RUNNING);
            standby.start();
            awaitAt(standby, before);
            await().until(() -> standby.progress().phase() == Phase.RUNNING);
            forgets.set(true);
            await().until(() -> {
                topic.put("/a/2", "/b/2");
                topic.mark();
                return forgotten.get() > 0;
            });
            forgets.set(false);
            active.close();
            topic.put("/a/3", "/b/3");
            AllPartitionsReader reading = awaitAt(standby, topic.mark());
            assertThat(reading.at(topic.mark()))
                    .containsOnlyKeys("/a/1", "/b/1", "/a/2", "/b/2", "/a/3", "/b/3");
        }
    }

    /** A new process reads it; this one's stores, epochs and routes are of the topic before. */
    @Test
    void failsWhenItsTopicWasCreatedAgain() throws Exception {
        try (StreamsNode node = new StreamsNode(settings("one", 0))) {
            node.start();
            awaitAt(node, topic.mark());
            MirrorTopic.delete(kafka.bootstrapServers(), topicName);
            try (MirrorTopic again = new MirrorTopic(kafka.bootstrapServers(), topicName)) {
                again.create(DELETABLE);
                await().until(() -> node.progress().phase() == Phase.FAILED);
            }
            assertThat(node.progress().detail()).contains("was deleted and created again");
        }
    }

    @Test
    void failsWhenItsTopicGetsMorePartitions() throws Exception {
        try (StreamsNode node = new StreamsNode(settings("one", 0))) {
            node.start();
            awaitAt(node, topic.mark());
            topic.addPartition();
            await().until(() -> node.progress().phase() == Phase.FAILED);
            assertThat(node.progress().detail()).contains("now has 3 partitions instead of 2");
        }
    }

    /** It would look for keys in partitions where the connector does not write them yet. */
    @Test
    void waitsForAListWhenPartitionsWereAdded() throws Exception {
        topic.put("/a/1", "/b/1", "/c/1");
        topic.mark();
        topic.addPartition();
        try (StreamsNode node = new StreamsNode(settings("one", 0))) {
            node.start();
            await().until(() -> node.progress().detail().contains("no records in partitions [2]"));
            assertThat(node.directory().partitions()).isZero();
            topic.relist();
            topic.put("/a/2");
            long end = topic.mark();
            assertThat(awaitAt(node, end).at(end)).containsOnlyKeys("/a/2");
        }
    }

    /**
     * KAFKA-20663: the stored offset is below the topic's first one. A connector's list above makes
     * the store whole again.
     */
    @Test
    void rebuildsWhenTheTopicBeginsAboveItsOffset() throws Exception {
        runAndCommit("one");
        topic.put("/a/2", "/b/2");
        topic.mark();
        topic.deleteRecords();
        topic.relist();
        topic.put("/a/9", "/b/9");
        long end = topic.mark();
        try (StreamsNode node = new StreamsNode(settings("one", 0))) {
            node.start();
            assertThat(awaitAt(node, end).at(end)).containsOnlyKeys("/a/9", "/b/9");
        }
    }
}
