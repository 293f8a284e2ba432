package io.tidemark.connect;

import io.tidemark.record.Change;
import java.time.Instant;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers of CloudEvents 1.0 in binary mode, as its Kafka protocol binding names them. The id
 * is {@code EPOCH-REVISION-INDEX}, the same whenever a change is written again.
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
        headers.addString(
                "ce_id", "%d-%d-%d".formatted(change.epoch(), change.revision(), changed.index()));
        headers.addString("ce_source", source);
        headers.addString(
                "ce_type", change instanceof Change.Put ? "io.tidemark.put" : "io.tidemark.delete");
        headers.addString("ce_subject", changed.key());
        if (timeMillis != null) {
            headers.addString("ce_time", Instant.ofEpochMilli(timeMillis).toString());
        }
        return headers;
    }
}
