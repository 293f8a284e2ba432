package io.tidemark.connect;

import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/** A put as one flat row of columns, which sinks for tables and for documents both take. */
final class ObjectRow {
    static final Schema SCHEMA = columns().version(1).build();

    /** The same columns, or nothing: the state before or after a change. */
    static final Schema OPTIONAL_SCHEMA = columns().version(1).optional().build();

    private ObjectRow() {}

    private static SchemaBuilder columns() {
        return SchemaBuilder.struct()
                .name("io.tidemark.connect.Object")
                .field("key", Schema.STRING_SCHEMA)
                .field("api_version", Schema.OPTIONAL_STRING_SCHEMA)
                .field("kind", Schema.OPTIONAL_STRING_SCHEMA)
                .field("namespace", Schema.OPTIONAL_STRING_SCHEMA)
                .field("name", Schema.OPTIONAL_STRING_SCHEMA)
                .field("uid", Schema.OPTIONAL_STRING_SCHEMA)
                .field("created", Timestamp.builder().optional().build())
                .field("labels", Schema.OPTIONAL_STRING_SCHEMA)
                .field("object", Schema.OPTIONAL_STRING_SCHEMA)
                .field("raw_value", Schema.OPTIONAL_BYTES_SCHEMA)
                .field("unreadable", Schema.OPTIONAL_STRING_SCHEMA)
                .field("epoch", Schema.INT64_SCHEMA)
                .field("revision", Schema.INT64_SCHEMA)
                .field("create_revision", Schema.INT64_SCHEMA)
                .field("version", Schema.INT64_SCHEMA)
                .field("lease", Schema.OPTIONAL_INT64_SCHEMA);
    }

    /**
     * The row of a put.
     *
     * @param key its key as text
     * @param schema {@link #SCHEMA} or {@link #OPTIONAL_SCHEMA}
     * @throws java.io.UncheckedIOException when a value that should be JSON is not
     */
    static Struct of(Change.Put put, String key, Schema schema) {
        Struct row = new Struct(schema);
        row.put("key", key);
        if (put.contentType() == ContentType.KUBERNETES_JSON) {
            ObjectFields fields = ObjectFields.of(put.value());
            row.put("api_version", fields.strings().get("apiVersion"));
            row.put("kind", fields.strings().get("kind"));
            row.put("namespace", fields.strings().get("namespace"));
            row.put("name", fields.strings().get("name"));
            row.put("uid", fields.strings().get("uid"));
            row.put("created", time(fields.strings().get("creationTimestamp")));
            row.put("labels", fields.labels());
            row.put("object", put.value().utf8());
        } else if (!put.isEncrypted()) {
            row.put("raw_value", put.value().array());
        }
        row.put("unreadable", put.unreadable().isEmpty() ? null : put.unreadable());
        row.put("epoch", put.epoch());
        row.put("revision", put.revision());
        row.put("create_revision", put.createRevision());
        row.put("version", put.version());
        row.put("lease", put.lease() == 0 ? null : put.lease());
        return row;
    }

    private static @Nullable Date time(@Nullable String text) {
        try {
            return text == null ? null : Date.from(Instant.parse(text));
        } catch (DateTimeException | IllegalArgumentException unused) {
            // A time that no clock shows is still in the object itself.
            return null;
        }
    }
}
