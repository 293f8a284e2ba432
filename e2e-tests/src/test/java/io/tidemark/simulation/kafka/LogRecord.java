package io.tidemark.simulation.kafka;

import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** A record in a partition's log. */
public final class LogRecord {
    private final long offset;
    private final long timestampMillis;
    private final TopicRecord content;
    private final Transaction transaction;
    private final String[] names;
    private final byte[][] values;

    /** Made when a consumer first reads it: connectors read the end of the log again and again. */
    private @Nullable ConsumerRecord<byte[], byte[]> consumed;

    /** Made when it is first asked for: several readers look at each record. */
    private @Nullable Optional<Change> change;

    /**
     * @param timestampMillis LogAppendTime
     * @param transaction that wrote it
     */
    LogRecord(long offset, long timestampMillis, TopicRecord content, Transaction transaction) {
        this.offset = offset;
        this.timestampMillis = timestampMillis;
        this.content = content;
        this.transaction = transaction;
        List<TopicRecord.Header> headers = content.headers();
        this.names = new String[headers.size()];
        this.values = new byte[headers.size()][];
        for (int i = 0; i < names.length; i++) {
            names[i] = headers.get(i).name();
            values[i] = headers.get(i).value().getBytes(StandardCharsets.UTF_8);
        }
    }

    public long offset() {
        return offset;
    }

    public long timestampMillis() {
        return timestampMillis;
    }

    public TopicRecord content() {
        return content;
    }

    public Transaction transaction() {
        return transaction;
    }

    /** The same position with other content. */
    public LogRecord with(TopicRecord other) {
        return new LogRecord(offset, timestampMillis, other, transaction);
    }

    public boolean isTombstone() {
        return content.value() == null;
    }

    /** The value of a header; null when it has none of that name. */
    public byte @Nullable [] header(String name) {
        for (int i = names.length - 1; i >= 0; i--) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    /** Empty for a record that breaks the topic's format, which readers skip. */
    public Optional<Change> change() {
        Optional<Change> known = change;
        if (known == null) {
            known = decode();
            change = known;
        }
        return known;
    }

    private Optional<Change> decode() {
        try {
            return Optional.of(
                    ChangeCodec.decode(
                            content.key().array(),
                            content.value() == null ? null : content.value().array(),
                            this::header));
        } catch (MalformedRecordException _) {
            return Optional.empty();
        }
    }

    /** As Kafka's consumer returns it. */
    ConsumerRecord<byte[], byte[]> consumed(int partition) {
        ConsumerRecord<byte[], byte[]> made = consumed;
        if (made == null) {
            made = toConsumerRecord(partition);
            consumed = made;
        }
        return made;
    }

    private ConsumerRecord<byte[], byte[]> toConsumerRecord(int partition) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < names.length; i++) {
            headers.add(names[i], values[i]);
        }
        headers.setReadOnly();
        return new ConsumerRecord<>(
                SimulatedKafka.TOPIC,
                partition,
                offset,
                timestampMillis,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                content.key().array(),
                content.value() == null ? null : content.value().array(),
                headers,
                Optional.empty());
    }
}
