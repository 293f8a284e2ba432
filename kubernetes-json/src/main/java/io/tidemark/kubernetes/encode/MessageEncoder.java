package io.tidemark.kubernetes.encode;

import io.tidemark.json.JsonScanner;
import io.tidemark.json.JsonScanner.Token;
import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.MessageType.Member;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import java.util.List;
import java.util.Objects;

/**
 * Encodes one object in one pass over its JSON: each member is looked up in the table and written
 * at once. For one object and one thread.
 */
final class MessageEncoder {
    /** What stored objects may have, with room for the levels around embedded JSON. */
    private static final int MAX_DEPTH = 1000;

    /** The depth of the members of the object's own metadata. */
    private static final int METADATA_DEPTH = 2;

    private static final int KEY = 1;
    private static final int VALUE = 2;

    private final byte[] json;
    private final long resourceVersion;
    private final JsonScanner tokens;
    private final ProtobufWriter out;
    private final ScalarEncoder scalars;

    private int depth;

    MessageEncoder(byte[] json, int from, long resourceVersion, ProtobufWriter out) {
        this.json = json;
        this.resourceVersion = resourceVersion;
        this.tokens = new JsonScanner(json, from, json.length, MAX_DEPTH, false);
        this.out = out;
        this.scalars = new ScalarEncoder(json, out);
    }

    void object(MessageType type) {
        if (tokens.next() != Token.OBJECT) {
            throw new EncodeException(type + " is no JSON object");
        }
        members(type);
        tokens.finish();
    }

    /** The members of an object whose brace was read, through its closing brace. */
    private void members(MessageType type) {
        depth++;
        InlineMessages inline = new InlineMessages(out);
        int expected = 0;
        while (tokens.next() == Token.NAME) {
            int at = type.memberAt(json, tokens.from() + 1, tokens.to() - 1, expected);
            Token value = tokens.next();
            if (at < 0) {
                skip(value);
                continue;
            }
            expected = at + 1;
            Member member = type.member(at);
            if (isNull(value) || member.field().number() == 0) {
                skip(value);
                continue;
            }
            inline.enter(member.inside());
            field(member.field(), value);
        }
        inline.enter(List.of());
        depth--;
    }

    private boolean isNull(Token value) {
        return value == Token.SCALAR && json[tokens.from()] == 'n';
    }

    /** Moves to the end of a value whose first token was read. */
    private void skip(Token first) {
        if (first == Token.SCALAR) {
            return;
        }
        int outside = tokens.depth() - 1;
        while (tokens.depth() > outside) {
            Token _ = tokens.next();
        }
    }

    private void field(Field field, Token first) {
        switch (field.shape()) {
            case ONE -> value(field, field.number(), first);
            case LIST -> {
                expect(first == Token.ARRAY, field, "a list");
                for (Token each = tokens.next(); each != Token.CLOSE; each = tokens.next()) {
                    value(field, field.number(), each);
                }
            }
            case MAP -> {
                expect(first == Token.OBJECT, field, "an object");
                while (tokens.next() == Token.NAME) {
                    int entry = out.open(field.number());
                    scalars.text(KEY, tokens.from(), tokens.to());
                    value(field, VALUE, tokens.next());
                    out.close(entry);
                }
            }
            case INLINE -> throw new IllegalStateException("a member is never inline");
        }
    }

    /** One value as the field {@code number}, which is another one for the value of an entry. */
    private void value(Field field, int number, Token first) {
        ValueType type = field.type();
        switch (type) {
            case MESSAGE -> message(field, number, first);
            case STRINGS -> strings(field, number, first);
            case RAW_JSON -> {
                int from = tokens.from();
                skip(first);
                int raw = out.open(number);
                out.field(1, json, from, tokens.to());
                out.close(raw);
            }
            case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS ->
                    schemaOr(field, number, first);
            case RESOURCE_VERSION -> {
                expect(first == Token.SCALAR, field, "a string");
                if (depth == METADATA_DEPTH && resourceVersion > 0) {
                    out.text(number, Long.toString(resourceVersion));
                } else {
                    scalars.write(field, number, tokens.from(), tokens.to());
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
                expect(first == Token.SCALAR, field, "a single value");
                scalars.write(field, number, tokens.from(), tokens.to());
            }
        }
    }

    /** An element of a list may be null, which Go reads as a message without fields. */
    private void message(Field field, int number, Token first) {
        int opened = out.open(number);
        if (!isNull(first)) {
            expect(first == Token.OBJECT, field, "an object");
            members(Objects.requireNonNull(field.message()));
        }
        out.close(opened);
    }

    private void strings(Field field, int number, Token first) {
        int opened = out.open(number);
        if (!isNull(first)) {
            expect(first == Token.ARRAY, field, "a list");
            for (Token each = tokens.next(); each != Token.CLOSE; each = tokens.next()) {
                expect(each == Token.SCALAR && json[tokens.from()] == '"', field, "a string");
                scalars.text(1, tokens.from(), tokens.to());
            }
        }
        out.close(opened);
    }

    /** The numbers of the fields differ by type; see the reading side, {@code SchemaOr}. */
    private void schemaOr(Field field, int number, Token first) {
        boolean orBool = field.type() == ValueType.SCHEMA_OR_BOOL;
        int opened = out.open(number);
        if (first == Token.OBJECT) {
            if (orBool) {
                out.number(1, 1);
            }
            message(field, orBool ? 2 : 1, first);
        } else if (orBool) {
            expect(first == Token.SCALAR, field, "a schema or a boolean");
            out.number(1, json[tokens.from()] == 't' ? 1 : 0);
        } else if (!isNull(first)) {
            expect(first == Token.ARRAY, field, "a schema or a list");
            for (Token each = tokens.next(); each != Token.CLOSE; each = tokens.next()) {
                if (field.type() == ValueType.SCHEMA_OR_ARRAY) {
                    message(field, 2, each);
                } else {
                    expect(each == Token.SCALAR && json[tokens.from()] == '"', field, "a string");
                    scalars.text(2, tokens.from(), tokens.to());
                }
            }
        }
        out.close(opened);
    }

    private static void expect(boolean condition, Field field, String wanted) {
        if (!condition) {
            throw new EncodeException(field.jsonName() + " is not " + wanted);
        }
    }
}
