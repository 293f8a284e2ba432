package io.tidemark.connector.sink;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from the mirror topic itself where its writer stopped. To be asked after former writers
 * were fenced off: then no transaction is open.
 */
final class TopicMarks {
    private final KafkaClients clients;
    private final String topic;
    private final Damages damages;

    TopicMarks(KafkaClients clients, String topic, Damages damages) {
        this.clients = clients;
        this.topic = topic;
        this.damages = damages;
    }

    /** The last committed mark of every partition, judged together; see {@link ResumePoint#of}. */
    ResumePoint resumePoint(String scope) {
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        try (PartitionReader reader =
                new PartitionReader(clients, Isolation.COMMITTED, topic, damages)) {
            for (TopicPartition partition : reader.partitions()) {
                marks.add(reader.last(partition, TopicRecords::mark).orElse(null));
            }
        }
        return ResumePoint.of(marks, highestEpoch(), scope);
    }

    /** Epochs only rise along a partition, so its last record of all has the highest. */
    private long highestEpoch() {
        long highest = 0;
        try (PartitionReader reader =
                new PartitionReader(clients, Isolation.UNCOMMITTED, topic, damages)) {
            for (TopicPartition partition : reader.partitions()) {
                long epoch = reader.last(partition, TopicRecords::epoch).orElse(0L);
                highest = Math.max(highest, epoch);
            }
        }
        return highest;
    }
}
