package io.tidemark.kubernetes.encode;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.MessageType.Member;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one object in one pass over its JSON: each member is looked up in the table and written
 * at once. For one object and one thread.
 */
final class MessageEncoder {
    /** As for the decoder; only JSON schemas are recursive. */
    private static final int MAX_DEPTH = 200;

    /** The depth of the members of the object's own metadata. */
    private static final int METADATA_DEPTH = 2;

    private static final int KEY = 1;
    private static final int VALUE = 2;

    private final byte[] json;
    private final long resourceVersion;
    private final JsonCursor cursor;
    private final ProtobufWriter out;
    private final ScalarEncoder scalars;

    private int depth;

    MessageEncoder(byte[] json, int from, long resourceVersion, ProtobufWriter out) {
        this.json = json;
        this.resourceVersion = resourceVersion;
        this.cursor = new JsonCursor(json, from);
        this.out = out;
        this.scalars = new ScalarEncoder(json, cursor, out);
    }

    void object(MessageType type) {
        members(type, type.name());
    }

    private void members(MessageType type, String what) {
        expect(cursor.enter('{'), what, "an object");
        if (++depth > MAX_DEPTH) {
            throw new EncodeException("nested deeper than " + MAX_DEPTH);
        }
        @Nullable InlineMessages inline = null;
        int expected = 0;
        for (boolean first = true; cursor.nextMember(first); first = false) {
            int at = type.memberAt(json, cursor.nameFrom(), cursor.nameTo(), expected);
            if (at < 0 || cursor.isNull() || type.member(at).field().number() == 0) {
                int _ = cursor.skip();
                continue;
            }
            expected = at + 1;
            Member member = type.member(at);
            if (inline == null && !member.inside().isEmpty()) {
                inline = new InlineMessages(out);
            }
            if (inline != null) {
                inline.enter(member.inside());
            }
            field(member.field());
        }
        if (inline != null) {
            inline.enter(List.of());
        }
        depth--;
    }

    private void field(Field field) {
        switch (field.shape()) {
            case ONE -> value(field, field.number());
            case LIST -> {
                expect(cursor.enter('['), field.jsonName(), "a list");
                for (boolean first = true; cursor.nextElement(first); first = false) {
                    value(field, field.number());
                }
            }
            case MAP -> {
                expect(cursor.enter('{'), field.jsonName(), "an object");
                for (boolean first = true; cursor.nextMember(first); first = false) {
                    int entry = out.open(field.number());
                    scalars.text(KEY, cursor.nameFrom() - 1, cursor.nameTo() + 1);
                    if (cursor.isNull()) {
                        int _ = cursor.skip(); // As in Go: the zero value, which may be absent.
                    } else {
                        value(field, VALUE);
                    }
                    out.close(entry);
                }
            }
            case INLINE -> throw new IllegalStateException("a member is never inline");
        }
    }

    /** One value as the field {@code number}, which is another one for the value of an entry. */
    private void value(Field field, int number) {
        switch (field.type()) {
            case MESSAGE -> message(field, number);
            case STRINGS -> strings(field, number);
            case RAW_JSON -> {
                int raw = out.open(number);
                int from = cursor.position();
                out.field(1, json, from, cursor.skip());
                out.close(raw);
            }
            case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> schemaOr(field, number);
            case RESOURCE_VERSION -> {
                int from = cursor.position();
                int to = cursor.skip();
                if (depth == METADATA_DEPTH && resourceVersion > 0) {
                    out.text(number, Long.toString(resourceVersion));
                } else {
                    scalars.write(field, number, from, to);
                }
            }
            case STRING,
                    BOOL,
                    INT32,
                    INT64,
                    DOUBLE,
                    BYTES,
                    TIME,
                    MICRO_TIME,
                    DURATION,
                    QUANTITY,
                    INT_OR_STRING -> {
                byte first = cursor.peek();
                expect(first != '{' && first != '[', field.jsonName(), "a single value");
                int from = cursor.position();
                scalars.write(field, number, from, cursor.skip());
            }
        }
    }

    /** An element of a list may be null, which Go reads as a message without fields. */
    private void message(Field field, int number) {
        int opened = out.open(number);
        if (cursor.isNull()) {
            int _ = cursor.skip();
        } else {
            members(Objects.requireNonNull(field.message()), field.jsonName());
        }
        out.close(opened);
    }

    private void strings(Field field, int number) {
        int opened = out.open(number);
        if (cursor.isNull()) {
            int _ = cursor.skip();
        } else {
            expect(cursor.enter('['), field.jsonName(), "a list");
            for (boolean first = true; cursor.nextElement(first); first = false) {
                text(field, 1);
            }
        }
        out.close(opened);
    }

    private void text(Field field, int number) {
        expect(cursor.peek() == '"', field.jsonName(), "a string");
        int from = cursor.position();
        scalars.text(number, from, cursor.skip());
    }

    /** The numbers of the fields differ by type; see the reading side, {@code SchemaOr}. */
    private void schemaOr(Field field, int number) {
        ValueType type = field.type();
        boolean orBool = type == ValueType.SCHEMA_OR_BOOL;
        byte first = cursor.peek();
        int opened = out.open(number);
        if (first == '{') {
            if (orBool) {
                out.number(1, 1);
            }
            message(field, orBool ? 2 : 1);
        } else if (orBool) {
            expect(first == 't' || first == 'f', field.jsonName(), "a schema or a boolean");
            int _ = cursor.skip();
            out.number(1, first == 't' ? 1 : 0);
        } else if (first == 'n') {
            int _ = cursor.skip();
        } else {
            expect(cursor.enter('['), field.jsonName(), "a schema or a list");
            for (boolean none = true; cursor.nextElement(none); none = false) {
                if (type == ValueType.SCHEMA_OR_ARRAY) {
                    message(field, 2);
                } else {
                    text(field, 2);
                }
            }
        }
        out.close(opened);
    }

    private static void expect(boolean condition, String what, String wanted) {
        if (!condition) {
            throw new EncodeException(what + " is not " + wanted);
        }
    }
}
