package io.tidemark.connector.sink;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from the mirror topic itself where its writer stopped and what it holds. To be asked
 * after former writers were fenced off: then no transaction is open.
 */
final class TopicMarks {
    private final KafkaClients clients;
    private final String topic;

    TopicMarks(KafkaClients clients, String topic) {
        this.clients = clients;
        this.topic = topic;
    }

    /**
     * @param offset where the mark stands
     */
    private record Place(Change.TideMark mark, long offset) {}

    /** The last committed mark of every partition, judged together; see {@link ResumePoint#of}. */
    ResumePoint resumePoint(String scope) {
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        try (PartitionReader reader = new PartitionReader(clients, Isolation.COMMITTED, topic)) {
            for (TopicPartition partition : reader.partitions()) {
                marks.add(reader.last(partition, TopicMarks::mark).map(Place::mark).orElse(null));
            }
        }
        return ResumePoint.of(marks, highestEpoch(), scope);
    }

    /** Epochs only rise along a partition, so its last record of all has the highest. */
    private long highestEpoch() {
        long highest = 0;
        try (PartitionReader reader = new PartitionReader(clients, Isolation.UNCOMMITTED, topic)) {
            for (TopicPartition partition : reader.partitions()) {
                long epoch = reader.last(partition, TopicMarks::epoch).orElse(0L);
                highest = Math.max(highest, epoch);
            }
        }
        return highest;
    }

    /**
     * Keys with a value: those whose last committed record is one, and those put after the last
     * committed mark, by transactions that were aborted: whoever reads uncommitted has seen them.
     * Takes memory for every key and reads the whole topic, so it is for new epochs only.
     */
    Set<Bytes> liveKeys() {
        Set<Bytes> live = new HashSet<>();
        try (PartitionReader committed = new PartitionReader(clients, Isolation.COMMITTED, topic);
                PartitionReader all = new PartitionReader(clients, Isolation.UNCOMMITTED, topic)) {
            for (TopicPartition partition : committed.partitions()) {
                committed.forward(
                        partition,
                        0,
                        record -> {
                            if (record.value() == null) {
                                live.remove(Bytes.wrap(record.key()));
                            } else {
                                addKey(live, record);
                            }
                        });
                long tail =
                        committed.last(partition, TopicMarks::mark).map(Place::offset).orElse(0L);
                all.forward(
                        partition,
                        tail,
                        record -> {
                            if (record.value() != null) {
                                addKey(live, record);
                            }
                        });
            }
        }
        return live;
    }

    private static void addKey(Set<Bytes> keys, ConsumerRecord<byte[], byte[]> record) {
        Bytes key = Bytes.wrap(record.key());
        if (!key.startsWith(ChangeCodec.CONTROL_PREFIX)) {
            keys.add(key);
        }
    }

    private static Optional<Place> mark(ConsumerRecord<byte[], byte[]> record) {
        if (header(record, ChangeCodec.MARK) == null) {
            return Optional.empty();
        }
        try {
            Change change =
                    ChangeCodec.decode(record.key(), record.value(), name -> header(record, name));
            return change instanceof Change.TideMark mark
                    ? Optional.of(new Place(mark, record.offset()))
                    : Optional.empty();
        } catch (MalformedRecordException _) {
            // Not ours: a mark that nobody can read marks nothing.
            return Optional.empty();
        }
    }

    private static Optional<Long> epoch(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = header(record, ChangeCodec.EPOCH);
        if (value == null) {
            return Optional.empty();
        }
        String text = new String(value, StandardCharsets.US_ASCII);
        return text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private static byte @Nullable [] header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
