package io.tidemark.connector.sink;

import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.connector.value.DeadLetter;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/**
 * The dead-letter topic: for every key that cannot be decoded now, its newest value and the reason;
 * a key that became readable or was deleted gets a tombstone. So the compacted topic lists all
 * current problems, and is read back at the start.
 *
 * <pre>
 * key      etcd key
 * value    etcd's bytes; empty for a Secret, and when there are more than {@value #MAX_VALUE_BYTES}
 * headers  epoch, revision, reason (class), detail (text), value_bytes
 * </pre>
 */
final class DeadLetters {
    static final int MAX_VALUE_BYTES = 512 * 1024;

    /** Above this the count is a lower bound, and a key's recovery is not noticed. */
    static final int MAX_KEYS = 500_000;

    private static final int PARTITION = 0;

    private final String topic;
    private Set<Bytes> unreadable = new HashSet<>();

    DeadLetters(String topic) {
        this.topic = topic;
    }

    /**
     * Reloads the committed state.
     *
     * @param corruptRanges receives the ranges that were skipped: such keys do not count until they
     *     change
     */
    void load(TopicClients clients, CorruptRangeTracker corruptRanges) {
        Set<Bytes> keys = new HashSet<>();
        try (PartitionReader reader =
                new PartitionReader(clients, Isolation.COMMITTED, topic, corruptRanges)) {
            for (TopicPartition partition : reader.partitions()) {
                reader.forward(
                        partition,
                        0,
                        record -> {
                            if (record.key() == null) {
                                return;
                            }
                            Bytes key = Bytes.wrap(record.key());
                            if (record.value() == null) {
                                keys.remove(key);
                            } else if (keys.size() < MAX_KEYS) {
                                keys.add(key);
                            }
                        });
            }
        }
        unreadable = keys;
    }

    /** How many keys cannot be decoded now. */
    int unreadableKeys() {
        return unreadable.size();
    }

    ProducerRecord<byte[], byte[]> record(DeadLetter letter) {
        if (unreadable.size() < MAX_KEYS) {
            unreadable.add(letter.key());
        }
        byte[] value =
                letter.value().length() > MAX_VALUE_BYTES ? new byte[0] : letter.value().array();
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, PARTITION, letter.key().array(), value);
        Headers headers = record.headers();
        add(headers, "epoch", Long.toString(letter.epoch()));
        add(headers, "revision", Long.toString(letter.revision()));
        add(headers, "reason", letter.reason().label());
        add(headers, "detail", letter.why());
        add(headers, "value_bytes", Integer.toString(letter.valueBytes()));
        return record;
    }

    /** A tombstone, if this key was unreadable until now. */
    Optional<ProducerRecord<byte[], byte[]>> recovered(Bytes key) {
        return unreadable.remove(key)
                ? Optional.of(new ProducerRecord<>(topic, PARTITION, key.array(), null))
                : Optional.empty();
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
