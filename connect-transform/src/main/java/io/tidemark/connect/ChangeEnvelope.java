package io.tidemark.connect;

import io.tidemark.record.Change;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * A change in the envelope that Debezium's connectors write: {@code op} is {@code r} for a key of a
 * list, {@code c}, {@code u} or {@code d}. {@code before} is always null: the topic holds no older
 * value.
 */
final class ChangeEnvelope {
    private static final Schema SOURCE =
            SchemaBuilder.struct()
                    .name("io.tidemark.connect.Source")
                    .version(1)
                    .field("connector", Schema.STRING_SCHEMA)
                    .field("key", Schema.STRING_SCHEMA)
                    .field("epoch", Schema.INT64_SCHEMA)
                    .field("revision", Schema.INT64_SCHEMA)
                    .field("index", Schema.INT32_SCHEMA)
                    .build();

    static final Schema SCHEMA =
            SchemaBuilder.struct()
                    .name("io.tidemark.connect.Envelope")
                    .version(1)
                    .field("before", ObjectRow.OPTIONAL_SCHEMA)
                    .field("after", ObjectRow.OPTIONAL_SCHEMA)
                    .field("source", SOURCE)
                    .field("op", Schema.STRING_SCHEMA)
                    .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
                    .build();

    private ChangeEnvelope() {}

    /**
     * The envelope of a put or a delete.
     *
     * @param timeMillis when the broker took the record, in milliseconds since 1970
     * @throws java.io.UncheckedIOException when a value that should be JSON is not
     */
    static Struct of(KeyChange changed, @Nullable Long timeMillis) {
        Struct envelope = new Struct(SCHEMA);
        envelope.put("source", source(changed));
        envelope.put("op", operation(changed.change()));
        envelope.put("ts_ms", timeMillis);
        if (changed.change() instanceof Change.Put put) {
            envelope.put("after", ObjectRow.of(put, changed.key(), ObjectRow.OPTIONAL_SCHEMA));
        }
        return envelope;
    }

    private static Struct source(KeyChange changed) {
        return new Struct(SOURCE)
                .put("connector", "tidemark")
                .put("key", changed.key())
                .put("epoch", changed.change().epoch())
                .put("revision", changed.change().revision())
                .put("index", changed.index());
    }

    private static String operation(Change change) {
        if (!(change instanceof Change.Put put)) {
            return "d";
        }
        if (put.listed()) {
            return "r";
        }
        return put.version() == 1 ? "c" : "u";
    }
}
