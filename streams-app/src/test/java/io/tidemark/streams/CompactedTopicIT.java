package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rebuilds from a topic that the broker has compacted, tombstones included: all that the node then
 * offers must be correct, and changes younger than the compaction lag must be offered.
 */
@LongTest
class CompactedTopicIT {
    /** Far more than a node needs to start on a busy machine: it must read young changes young. */
    private static final Duration LAG = Duration.ofSeconds(60);

    @TempDir private Path data;
    @TempDir private Path folder;
    private final SplittableRandom random = new SplittableRandom(7);
    private final TreeMap<Long, Map<String, Long>> states = new TreeMap<>();
    private final TreeMap<Long, String> changes = new TreeMap<>();

    @Test
    void offersCorrectHistoryWithAllYoungChanges() throws Exception {
        KafkaSettings quickCleaner =
                KafkaSettings.loopback(data).withOverrides(Map.of("log.cleaner.backoff.ms", "200"));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(quickCleaner);
                MirrorTopic topic = new MirrorTopic(kafka.bootstrapServers(), "compacted")) {
            topic.create(
                    Map.of(
                            "min.compaction.lag.ms", Long.toString(LAG.toMillis()),
                            "delete.retention.ms", "100",
                            "segment.ms", "1000",
                            "min.cleanable.dirty.ratio", "0.001"));
            topic.list();
            states.put(100L, Map.of());
            change(topic, 400);
            long old = topic.mark();
            awaitCleaning(topic);

            try (StreamsNode node =
                    new StreamsNode(
                            NodeProcess.settings(kafka.bootstrapServers(), "compacted", folder))) {
                node.start();
                change(topic, 40);
                long young = topic.mark();
                topic.commit();
                AllPartitionsReader reading = new AllPartitionsReader(node.directory());
                await().until(() -> reading.isAt(young));
                long floor = reading.highestFloor();
                // In between, a few changes were only made to trigger further compaction.
                assertThat(floor).isBetween(old, young - 40);
                for (long revision = floor; revision <= young; revision++) {
                    assertThat(reading.at(revision))
                            .as("state at %d", revision)
                            .isEqualTo(states.floorEntry(revision).getValue());
                }
                assertThat(reading.changesAfter(floor)).isEqualTo(changes.tailMap(floor, false));
            }
        }
    }

    private void change(MirrorTopic topic, int times) {
        for (int i = 0; i < times; i++) {
            TreeMap<String, Long> state = new TreeMap<>(states.lastEntry().getValue());
            String key = "/%s/%d".formatted(random.nextBoolean() ? "a" : "b", random.nextInt(12));
            boolean delete = state.containsKey(key) && random.nextInt(3) == 0;
            long revision = delete ? topic.delete(key) : topic.put(key);
            Long before = delete ? state.remove(key) : state.put(key, revision);
            changes.put(revision, "%s %s<-%s".formatted(key, delete ? null : revision, before));
            states.put(revision, state);
            if (random.nextInt(5) == 0) {
                topic.mark();
            }
        }
    }

    /** Waits until compaction has removed records from every partition, tombstones included. */
    private void awaitCleaning(MirrorTopic topic) {
        List<Integer> before = sizes(topic);
        await().pollInterval(Duration.ofSeconds(2))
                .until(() -> {
                    change(topic, 1); // Only a further record closes a segment.
                    topic.mark();
                    topic.commit();
                    List<Integer> now = sizes(topic);
                    for (int i = 0; i < MirrorTopic.PARTITIONS; i++) {
                        if (now.get(i) > before.get(i) / 2) {
                            return false;
                        }
                    }
                    return true;
                });
    }

    private static List<Integer> sizes(MirrorTopic topic) {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < MirrorTopic.PARTITIONS; i++) {
            sizes.add(topic.read(i).size());
        }
        return sizes;
    }
}
