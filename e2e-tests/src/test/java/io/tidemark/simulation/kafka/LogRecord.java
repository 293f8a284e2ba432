package io.tidemark.simulation.kafka;

import io.tidemark.record.TopicRecord;

/**
 * A record in a partition's log.
 *
 * @param timestampMillis LogAppendTime
 * @param transaction that wrote it
 */
public record LogRecord(
        long offset, long timestampMillis, TopicRecord content, Transaction transaction) {
    /** The same position with other content. */
    public LogRecord with(TopicRecord other) {
        return new LogRecord(offset, timestampMillis, other, transaction);
    }

    public boolean isTombstone() {
        return content.value() == null;
    }
}
