package io.tidemark.streams.replica;

import io.tidemark.store.PartitionStore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A record of the mirror topic, from any consumer.
 *
 * @param timestampMillis the broker's time (LogAppendTime)
 */
@SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
record DeliveredRecord(
        byte @Nullable [] key,
        byte @Nullable [] value,
        Headers headers,
        long offset,
        long timestampMillis) {
    static DeliveredRecord of(ConsumerRecord<byte[], byte[]> read) {
        return new DeliveredRecord(
                read.key(), read.value(), read.headers(), read.offset(), read.timestamp());
    }

    void applyTo(PartitionStore store) {
        store.applyRecord(key, value, this::header, offset, timestampMillis);
    }

    private byte @Nullable [] header(String name) {
        Header header = headers.lastHeader(name);
        return header == null ? null : header.value();
    }
}
