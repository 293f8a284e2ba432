package io.tidemark.connector.sink;

import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Parses records of the mirror topic; a corrupt record counts as none. A record of a newer format
 * ends the reading with a {@link io.tidemark.record.NewerFormatException}.
 */
final class TopicRecords {
    /** As many as always fit a long. */
    private static final int MAX_DIGITS = 18;

    private TopicRecords() {}

    static Optional<Change> change(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(
                    ChangeCodec.decode(record.key(), record.value(), name -> header(record, name)));
        } catch (MalformedRecordException _) {
            return Optional.empty();
        }
    }

    static Optional<Change.TideMark> mark(ConsumerRecord<byte[], byte[]> record) {
        return header(record, ChangeCodec.MARK) == null
                ? Optional.empty()
                : change(record)
                        .filter(Change.TideMark.class::isInstance)
                        .map(Change.TideMark.class::cast);
    }

    static Optional<Long> epoch(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = header(record, ChangeCodec.EPOCH);
        if (value == null) {
            return Optional.empty();
        }
        if (value.length == 0 || value.length > MAX_DIGITS) {
            return Optional.empty();
        }
        long epoch = 0;
        for (byte digit : value) {
            if (digit < '0' || digit > '9') {
                return Optional.empty();
            }
            epoch = 10 * epoch + digit - '0';
        }
        return Optional.of(epoch);
    }

    private static byte @Nullable [] header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
