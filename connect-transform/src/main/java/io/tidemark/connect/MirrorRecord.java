package io.tidemark.connect;

import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Header;
import org.jspecify.annotations.Nullable;

/** Decodes a record of Kafka Connect that was read from the mirror topic. */
final class MirrorRecord {
    private MirrorRecord() {}

    /**
     * The change or tide mark of a record.
     *
     * @throws MalformedRecordException when it breaks the topic's format
     * @throws io.tidemark.record.NewerFormatException when a later release wrote it
     * @throws DataException when the worker's converters decoded its key or value
     */
    static Change decode(ConnectRecord<?> record) throws MalformedRecordException {
        return ChangeCodec.decode(
                bytes("key", record.key()),
                bytes("value", record.value()),
                name -> header(record, name));
    }

    private static byte @Nullable [] bytes(String part, @Nullable Object content) {
        return switch (content) {
            case null -> null;
            case byte[] bytes -> bytes;
            case ByteBuffer buffer -> {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.duplicate().get(bytes);
                yield bytes;
            }
            default ->
                    throw new DataException(
                            "the record's %s is a %s: FromMirror needs the bytes, set %s.converter="
                                            .formatted(
                                                    part, content.getClass().getSimpleName(), part)
                                    + "org.apache.kafka.connect.converters.ByteArrayConverter");
        };
    }

    /** The last header of a name; a worker's header converter may have decoded it. */
    private static byte @Nullable [] header(ConnectRecord<?> record, String name) {
        Header header = record.headers().lastWithName(name);
        if (header == null || header.value() == null) {
            return null;
        }
        return header.value() instanceof byte[] bytes
                ? bytes
                : header.value().toString().getBytes(StandardCharsets.UTF_8);
    }
}
