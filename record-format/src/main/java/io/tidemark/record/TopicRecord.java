package io.tidemark.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change as a Kafka record, independent of Kafka's classes.
 *
 * @param value null for a delete
 */
public record TopicRecord(Bytes key, @Nullable Bytes value, List<Header> headers) {
    public TopicRecord {
        headers = List.copyOf(headers);
    }

    /** A record header; the value is ASCII text. */
    public record Header(String name, String value) {}
}
