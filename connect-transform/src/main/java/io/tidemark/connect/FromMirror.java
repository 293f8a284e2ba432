package io.tidemark.connect;

import io.tidemark.record.Change;
import io.tidemark.record.MalformedRecordException;
import io.tidemark.record.NewerFormatException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes records for stock sinks of the mirror topic's records: the key is the etcd key as text, a
 * put becomes a row, a document or an envelope, a delete stays a tombstone, and tide marks are
 * dropped. Stale keys need no care: a connector that lists etcd again writes a delete for each.
 *
 * <p>Stateless: a sink that writes by key holds etcd's state, however often records are repeated.
 * The worker must read with {@code isolation.level=read_committed}, and pass keys and values as
 * bytes.
 *
 * @param <R> the record's type, of a sink
 */
public final class FromMirror<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {
    private static final Logger LOG = LoggerFactory.getLogger(FromMirror.class);

    private FromMirrorOptions options = FromMirrorOptions.of(Map.of());

    @Override
    public void configure(Map<String, ?> configs) {
        options = FromMirrorOptions.of(configs);
    }

    @Override
    public ConfigDef config() {
        return FromMirrorOptions.DEFINITION;
    }

    @Override
    public String version() {
        String version = FromMirror.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /**
     * The record for the sink; null for a tide mark, for a key that no prefix lets through, and for
     * a malformed record that is skipped.
     *
     * @throws DataException when the record is malformed and the option says fail, is of a newer
     *     format, or was decoded by the worker's converters
     */
    @Override
    public @Nullable R apply(R record) {
        try {
            Optional<KeyChange> change = KeyChange.of(MirrorRecord.decode(record));
            if (change.isEmpty() || !isWanted(change.get().key())) {
                return null;
            }
            return transformed(record, change.get());
        } catch (NewerFormatException e) {
            throw new DataException(
                    "%s: update the plugin; the task must not go on, since later records may depend"
                                    .formatted(place(record, e))
                            + " on this one",
                    e);
        } catch (MalformedRecordException | UncheckedIOException e) {
            if (!options.skipMalformed()) {
                throw new DataException(place(record, e), e);
            }
            LOG.warn("skipped a malformed record: {}", place(record, e));
            return null;
        }
    }

    private boolean isWanted(String key) {
        return options.keyPrefixes().isEmpty()
                || options.keyPrefixes().stream().anyMatch(key::startsWith);
    }

    private R transformed(R record, KeyChange changed) {
        Schema schema = null;
        Object value = null;
        switch (options.form()) {
            case ROW -> {
                if (changed.change() instanceof Change.Put put) {
                    schema = ObjectRow.SCHEMA;
                    value = ObjectRow.of(put, changed.key(), schema);
                }
            }
            case DOCUMENT -> {
                if (changed.change() instanceof Change.Put put) {
                    value = ObjectDocument.of(put, changed.key());
                }
            }
            case ENVELOPE -> {
                schema = ChangeEnvelope.SCHEMA;
                value = ChangeEnvelope.of(changed, record.timestamp());
            }
        }
        if (value != null && options.jsonText()) {
            schema = Schema.STRING_SCHEMA;
            value = JsonText.of(value);
        }
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                Schema.STRING_SCHEMA,
                changed.key(),
                schema,
                value,
                record.timestamp(),
                headers(record, changed));
    }

    private Headers headers(R record, KeyChange changed) {
        if (!options.cloudEvents()) {
            return record.headers();
        }
        String source = options.cloudEventsSource();
        return CloudEvent.headers(
                record.headers(),
                changed,
                source.isEmpty() ? "/" + record.topic() : source,
                record.timestamp());
    }

    private static String place(ConnectRecord<?> record, Exception problem) {
        String offset = record instanceof SinkRecord sink ? ", offset " + sink.kafkaOffset() : "";
        return "topic %s, partition %s%s: %s"
                .formatted(record.topic(), record.kafkaPartition(), offset, problem.getMessage());
    }

    @Override
    public void close() {}
}
