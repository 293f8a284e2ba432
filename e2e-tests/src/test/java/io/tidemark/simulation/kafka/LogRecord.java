package io.tidemark.simulation.kafka;

import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
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

    /** Made when a consumer first reads it: connectors read the end of the log again and again. */
    private @Nullable ConsumerRecord<byte[], byte[]> consumed;

    /**
     * @param timestampMillis LogAppendTime
     * @param transaction that wrote it
     */
    LogRecord(long offset, long timestampMillis, TopicRecord content, Transaction transaction) {
        this.offset = offset;
        this.timestampMillis = timestampMillis;
        this.content = content;
        this.transaction = transaction;
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
        for (TopicRecord.Header header : content.headers()) {
            headers.add(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
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
