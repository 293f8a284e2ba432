package io.tidemark.kubernetes;

import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.Field.Printed;
import io.tidemark.kubernetes.schema.Field.Shape;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Reason;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.Wire;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Transcodes one object's protobuf bytes to JSON bytes, without intermediate objects. Handles a
 * message in two steps: a scan records the positions of known fields ({@link FieldIndex}), then the
 * fields are printed in the table's order. For one object and one thread.
 */
final class Transcoder {
    /** Real objects nest to about 20 levels; JSON schemas, which are recursive, to a few more. */
    private static final int MAX_DEPTH = 100;

    /** The depth of the members of the object's own metadata. */
    private static final int METADATA_DEPTH = 2;

    private static final String METADATA = "meta.v1.ObjectMeta";

    private static final byte[] KIND = "{\"kind\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] API_VERSION =
            ",\"apiVersion\":".getBytes(StandardCharsets.US_ASCII);

    private final Envelope envelope;
    private final byte[] source;
    private final int limit;
    private final long resourceVersion;
    private final JsonBuffer out;
    private final ValuePrinter values;

    private final FieldIndex notes;

    private int depth;

    /** Whether the object's metadata has a name. */
    private boolean named;

    private InheritedLabels inherited = InheritedLabels.NONE;

    Transcoder(Envelope envelope, long resourceVersion, int maxJsonBytes) {
        this.envelope = envelope;
        this.source = envelope.source();
        this.limit = envelope.to();
        this.resourceVersion = resourceVersion;
        this.out = new JsonBuffer(source.length + source.length / 2 + 512, maxJsonBytes);
        this.values = new ValuePrinter(source, out);
        this.notes = new FieldIndex(source);
    }

    DecodeResult object(MessageType type) {
        inherited = InheritedLabels.find(envelope, type.labelsPath());
        out.put(KIND);
        text(envelope.kind());
        out.put(API_VERSION);
        text(envelope.apiVersion());
        members(type, envelope.from(), envelope.to());
        out.put('}');
        return new DecodeResult.Json(
                Bytes.wrap(out.toByteArray()),
                envelope.apiVersion(),
                envelope.kind(),
                notes.unknownFields(),
                isCanonical(type));
    }

    /** Every member comes from the table, so there are no duplicates unless the table has them. */
    private boolean isCanonical(MessageType type) {
        return named
                && resourceVersion > 0
                && values.isStrict()
                && type.slotOf("kind") < 0
                && type.slotOf("apiVersion") < 0;
    }

    private static boolean isMetadata(Field field) {
        MessageType message = field.message();
        return field.shape() == Shape.ONE
                && field.jsonName().equals("metadata")
                && message != null
                && message.name().equals(METADATA);
    }

    /** Whether the name of the metadata in {@code [from, to)}, which is printed, is not empty. */
    private boolean hasName(MessageType metadata, int from, int to) {
        int slot = metadata.slotOf("name");
        boolean has = false;
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            if (metadata.slotOf(fields.number()) == slot) {
                has = fields.from() < fields.to();
            }
        }
        return has;
    }

    private void text(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        out.string(utf8, 0, utf8.length);
    }

    private void message(MessageType type, int from, int to) {
        out.put('{');
        members(type, from, to);
        out.put('}');
    }

    private void members(MessageType type, int from, int to) {
        if (++depth > MAX_DEPTH) {
            throw new DecodeException(Reason.TOO_DEEP, "messages nested deeper than " + MAX_DEPTH);
        }
        int base = notes.open(type, from, to);
        if (inherited.count() > 0 && depth == METADATA_DEPTH && type.name().equals(METADATA)) {
            notes.setIfAbsent(base, type.slotOf("labels"), inherited.firstTag(), inherited.count());
        }
        for (int slot = 0; slot < type.fieldCount(); slot++) {
            Field field = type.field(slot);
            int first = notes.first(base, slot);
            int second = notes.second(base, slot);
            member(field, first, second);
            if (depth == 1 && isMetadata(field)) {
                named = hasName(Objects.requireNonNull(field.message()), first, second);
            }
        }
        notes.close(base);
        depth--;
    }

    /**
     * @param from start of the value, or of a list's first tag; 0 when the field is absent
     * @param to end of the value, or number of entries of a list
     */
    private void member(Field field, int from, int to) {
        boolean present = from != 0;
        if (field.shape() == Shape.INLINE) {
            members(Objects.requireNonNull(field.message()), from, to);
            return;
        }
        if (field.byDefault() != null && (!present || isEmpty(field, from, to))) {
            out.member(field.member().bytes());
            out.put(field.byDefault().bytes());
            return;
        }
        if (!isPrinted(field, present, from, to)) {
            return;
        }
        out.member(field.member().bytes());
        if (!present && field.printed() == Printed.ALWAYS_OR_NULL) {
            values.nothing();
            return;
        }
        switch (field.shape()) {
            case ONE -> value(field, from, to);
            case LIST -> list(field, from, to);
            case MAP -> map(field, from, to);
            case INLINE -> throw new IllegalStateException("handled above");
        }
    }

    private boolean isPrinted(Field field, boolean present, int from, int to) {
        return switch (field.printed()) {
            case ALWAYS, ALWAYS_OR_NULL -> true;
            case WHEN_PRESENT -> present;
            case UNLESS_EMPTY -> {
                if (field.type() == ValueType.RESOURCE_VERSION && depth == METADATA_DEPTH) {
                    yield resourceVersion > 0;
                }
                yield present && !isEmpty(field, from, to);
            }
        };
    }

    /** Prints a present field; a list or map then has an entry. */
    private boolean isEmpty(Field field, int from, int to) {
        return field.shape() == Shape.ONE
                && field.printed() == Printed.UNLESS_EMPTY
                && values.isZero(field.type(), from, to);
    }

    private void value(Field field, int from, int to) {
        switch (field.type()) {
            case MESSAGE -> message(Objects.requireNonNull(field.message()), from, to);
            case RESOURCE_VERSION -> resourceVersion(from, to);
            case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS ->
                    schemaOr(field.type(), Objects.requireNonNull(field.message()), from, to);
            case STRING -> out.string(source, from, to);
            case BOOL,
                    INT32,
                    INT64,
                    DOUBLE,
                    BYTES,
                    TIME,
                    MICRO_TIME,
                    DURATION,
                    QUANTITY,
                    INT_OR_STRING,
                    RAW_JSON,
                    STRINGS ->
                    values.print(field.type(), from, to);
        }
    }

    /** The caller sets the object's own resourceVersion; an embedded template's is as stored. */
    private void resourceVersion(int from, int to) {
        if (depth == METADATA_DEPTH) {
            out.put('"');
            out.number(resourceVersion);
            out.put('"');
        } else {
            out.string(source, from, to);
        }
    }

    private void list(Field field, int firstTag, int count) {
        if (count == 0) {
            values.nothing();
            return;
        }
        out.put('[');
        FieldCursor fields = new FieldCursor(source, firstTag, limit);
        for (int left = count; left > 0 && fields.next(); ) {
            if (fields.number() != field.number()) {
                continue;
            }
            left--;
            if (fields.wireType() == field.type().wireType()) {
                out.separate();
                value(field, fields.from(), fields.to());
            } else {
                packed(field, fields.from(), fields.to());
            }
        }
        out.put(']');
    }

    private void packed(Field field, int from, int to) {
        for (int at = from; at < to; ) {
            int end = Wire.afterValue(source, field.type().wireType(), at, to);
            out.separate();
            value(field, at, end);
            at = end;
        }
    }

    private void map(Field field, int firstTag, int count) {
        if (count == 0) {
            values.nothing();
            return;
        }
        MapEntries entries = new MapEntries(source, field, count);
        FieldCursor fields = new FieldCursor(source, firstTag, limit);
        for (int left = count; left > 0 && fields.next(); ) {
            if (fields.number() == field.number()) {
                left--;
                entries.add(fields.from(), fields.to());
            }
        }
        out.put('{');
        for (int entry : entries.sorted()) {
            out.separate();
            out.string(source, entries.keyFrom(entry), entries.keyTo(entry));
            out.put(':');
            if (field.type() == ValueType.BYTES && entries.valueFrom(entry) == 0) {
                out.base64(source, 0, 0); // In a map, Go reads an absent one as empty, not as nil.
            } else {
                value(field, entries.valueFrom(entry), entries.valueTo(entry));
            }
        }
        out.put('}');
    }

    private void schemaOr(ValueType type, MessageType schema, int from, int to) {
        SchemaOr either = SchemaOr.read(source, type, from, to);
        if (!either.list().isEmpty()) {
            out.put('[');
            for (SchemaOr.Range range : either.list()) {
                out.separate();
                if (type == ValueType.SCHEMA_OR_ARRAY) {
                    message(schema, range.from(), range.to());
                } else {
                    out.string(source, range.from(), range.to());
                }
            }
            out.put(']');
        } else if (either.schema() != null) {
            message(schema, either.schema().from(), either.schema().to());
        } else if (type == ValueType.SCHEMA_OR_BOOL) {
            values.bool(either.allows());
        } else {
            values.nothing();
        }
    }
}
