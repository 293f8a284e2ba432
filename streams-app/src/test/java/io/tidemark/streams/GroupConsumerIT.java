package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.local.EmbeddedKafka;
import io.tidemark.local.KafkaSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which callers get the committed offsets, and which the topic's end. */
class GroupConsumerIT {
    private static final TopicPartition PARTITION = new TopicPartition("mirror", 0);

    /** The assignor runs inside any call of the consumer that receives the group's responses. */
    @Test
    void onlyTheAssignorGetsTheEndOffsets(@TempDir Path data) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(KafkaSettings.loopback(data));
                MirrorTopic topic = new MirrorTopic(kafka.bootstrapServers(), PARTITION.topic());
                GroupConsumer consumer =
                        new GroupConsumer(
                                Map.of(
                                        "bootstrap.servers",
                                        kafka.bootstrapServers(),
                                        "group.id",
                                        "nodes",
                                        "enable.auto.commit",
                                        false),
                                new SkippedRanges())) {
            topic.create(Map.of());
            topic.list();
            consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(1)));

            assertThat(offset(consumer)).isEqualTo(1);
            AskingAssignor assignor = new AskingAssignor(consumer);
            assignor.name();
            assertThat(assignor.received).isEqualTo(2);
        }
    }

    private static long offset(GroupConsumer consumer) {
        return consumer.committed(Set.of(PARTITION)).get(PARTITION).offset();
    }

    private static final class AskingAssignor extends StreamsPartitionAssignor {
        private final GroupConsumer consumer;
        private long received;

        AskingAssignor(GroupConsumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public String name() {
            received = offset(consumer);
            return super.name();
        }
    }
}
