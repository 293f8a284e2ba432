package io.tidemark.connect;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers of CloudEvents 1.0 in binary mode, as its Kafka protocol binding names them. The id
 * is {@code EPOCH-REVISION-INDEX}, the same whenever a change is written again; puts of a list and
 * deletes also have the CRC-32C of their key, as a list's index is unique to neither.
 */
final class CloudEvent {
    private CloudEvent() {}

    /**
     * Adds a change's headers to those that the record has.
     *
     * @param source the event's source, a URI reference
     * @param timeMillis when the broker took the record, in milliseconds since 1970
     */
    static Headers headers(
            Headers existing, KeyChange changed, String source, @Nullable Long timeMillis) {
        Change change = changed.change();
        Headers headers = new ConnectHeaders(existing);
        headers.addString("ce_specversion", "1.0");
        headers.addString("ce_id", id(change, changed.index()));
        headers.addString("ce_source", source);
        headers.addString(
                "ce_type", change instanceof Change.Put ? "io.tidemark.put" : "io.tidemark.delete");
        headers.addString("ce_subject", changed.key());
        if (timeMillis != null) {
            headers.addString("ce_time", Instant.ofEpochMilli(timeMillis).toString());
        }
        return headers;
    }

    private static String id(Change change, int index) {
        String place = "%d-%d-%d".formatted(change.epoch(), change.revision(), index);
        return switch (change) {
            case Change.Put put when put.listed() -> place + "-" + checksum(put.key());
            // The list that begins an epoch deletes keys, too, by an index that counts from 0.
            case Change.Delete delete -> place + "-" + checksum(delete.key());
            default -> place;
        };
    }

    private static String checksum(Bytes key) {
        CRC32C sum = new CRC32C();
        sum.update(key.array());
        return "%08x".formatted(sum.getValue());
    }
}
