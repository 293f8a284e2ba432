package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.store.engine.SmallDisk;
import io.tidemark.view.PartitionState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with a full disk: it serves reads, reports the disk, and resumes when there is space. */
class FullDiskIT {
    private static final String TOPIC = "full-disk";

    @TempDir private Path folder;

    @Test
    void servesAsOfItsWatermarkOnAFullDiskAndCatchesUpWhenThereIsSpace() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 96);
                EmbeddedKafka kafka =
                        EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
                MirrorTopic topic = new MirrorTopic(kafka.bootstrapServers(), TOPIC)) {
            topic.create(Map.of());
            topic.list();
            topic.put("/a/1", "/b/1");
            long first = topic.mark();
            StreamsSettings settings =
                    NodeProcess.settings(kafka.bootstrapServers(), TOPIC, disk.folder());
            try (StreamsNode node = new StreamsNode(settings)) {
                node.start();
                AllPartitionsReader reading = new AllPartitionsReader(node.directory());
                await().until(() -> reading.isAt(first));
                await().until(() -> node.progress().phase() == NodeProgress.Phase.RUNNING);
                assertThat(node.disk().isFull()).isFalse();
                disk.fill();

                await().until(() -> {
                    topic.putLarge("/a/large");
                    topic.mark();
                    return node.disk().isFull();
                });

                assertThat(node.progress().detail()).contains("no space left on device");
                assertThat(node.disk().stalled()).isNotEmpty();
                assertThat(node.directory().view(0).state().ready()).isTrue();
                assertThat(reading.at(first)).containsOnlyKeys("/a/1", "/b/1");
                long beforehand = topic.mark();
                disk.empty();
                await().until(() -> reading.isAt(beforehand));
                await().until(() -> !node.disk().isFull());
                topic.put("/a/2");
                long end = topic.mark();
                await().until(() -> reading.isAt(end));
                assertThat(reading.at(end)).containsOnlyKeys("/a/1", "/b/1", "/a/large", "/a/2");
                assertThat(floors(node)).allMatch(floor -> floor <= first);
            }
            try (Stream<Path> files = Files.walk(disk.folder())) {
                assertThat(files).noneMatch(file -> file.toString().endsWith(".broken"));
            }
        }
    }

    @Test
    void startsOnAFullDiskAndServesWhenThereIsSpace() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 96);
                EmbeddedKafka kafka =
                        EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
                MirrorTopic topic = new MirrorTopic(kafka.bootstrapServers(), TOPIC)) {
            topic.create(Map.of());
            topic.list();
            topic.put("/a/1");
            long end = topic.mark();
            disk.fill();
            try (StreamsNode node =
                    new StreamsNode(
                            NodeProcess.settings(kafka.bootstrapServers(), TOPIC, disk.folder()))) {
                node.start();
                await().until(() -> node.disk().isFull());

                disk.empty();

                AllPartitionsReader reading = new AllPartitionsReader(node.directory());
                await().until(() -> reading.isAt(end));
                assertThat(node.disk().isFull()).isFalse();
            }
        }
    }

    private static List<Long> floors(StreamsNode node) {
        return IntStream.range(0, node.directory().partitions())
                .mapToObj(partition -> node.directory().view(partition).state())
                .filter(PartitionState::ready)
                .map(PartitionState::floor)
                .toList();
    }
}
