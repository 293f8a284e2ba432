package io.tidemark.record;

import io.tidemark.record.TopicRecord.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The byte layout of the mirror topic, format 1. Numbers in headers are decimal ASCII, so that
 * Kafka's own console consumer shows them as they are.
 *
 * <pre>
 *            put                        delete          tide mark
 * key        etcd key                   etcd key        \0tidemark\0 + kind
 * value      JSON or raw bytes          null            {"format":1,"kind":…,"epoch":…,"revision":…,
 *                                                        "cluster_id":"hex","connector":"url",
 *                                                        "scope":"text","time":…}
 * headers    epoch                      epoch           mark = list_begin | list_end | progress | gap | bridge
 *            mod_revision               mod_revision    epoch
 *            index                      index           mod_revision
 *            create_revision                            cluster_id (hexadecimal)
 *            version                                    connector
 *                                                       scope
 *            lease            (not 0)                   time (ms; absent in older marks)
 *            content_type
 *            listed = 1       (from a list)
 *            unreadable       (why, for a value that no object could be made of;
 *                              "withheld: a Secret", with an empty value, in a mirror without them;
 *                              "encrypted: a Secret, key ID", with the value encrypted)
 * </pre>
 *
 * <p>A mark's value repeats its headers for consumers that cannot read headers; stores read the
 * headers alone. Each kind of mark has one key, so that compaction keeps the newest of each.
 *
 * <p>A change to this layout is a new format number, in the header {@code format} of every record
 * of that format, and a reader for both. Records of format 1 do not have that header.
 */
public final class ChangeCodec {
    /** The format that {@link #encode} writes, and the newest that {@link #decode} reads. */
    static final int FORMAT = 1;

    /** Header of records of a format above 1. */
    public static final String FORMAT_HEADER = "format";

    public static final String EPOCH = "epoch";
    public static final String MOD_REVISION = "mod_revision";
    public static final String INDEX = "index";
    public static final String CREATE_REVISION = "create_revision";
    public static final String VERSION = "version";
    public static final String LEASE = "lease";
    public static final String CONTENT_TYPE = "content_type";
    public static final String LISTED = "listed";
    public static final String UNREADABLE = "unreadable";
    public static final String MARK = "mark";
    public static final String CLUSTER_ID = "cluster_id";
    public static final String CONNECTOR = "connector";
    public static final String SCOPE = "scope";
    public static final String TIME = "time";

    /** Keys that start with this are not mirrored. */
    public static final Bytes CONTROL_PREFIX = Bytes.utf8("\0tidemark\0");

    /** As many as always fit a long. */
    private static final int MAX_DIGITS = 18;

    private ChangeCodec() {}

    /** Finds a header's last value by its name; null when there is none. */
    @FunctionalInterface
    public interface HeaderLookup {
        byte @Nullable [] find(String name);
    }

    public static TopicRecord encode(Change change) {
        return switch (change) {
            case Change.Put put -> encodePut(put);
            case Change.Delete(long epoch, long revision, int index, Bytes key) ->
                    new TopicRecord(
                            key,
                            null,
                            List.of(
                                    header(EPOCH, epoch),
                                    header(MOD_REVISION, revision),
                                    header(INDEX, index)));
            case Change.TideMark mark -> encodeMark(mark);
        };
    }

    private static TopicRecord encodePut(Change.Put put) {
        List<Header> headers = new ArrayList<>(9);
        headers.add(header(EPOCH, put.epoch()));
        headers.add(header(MOD_REVISION, put.revision()));
        headers.add(header(INDEX, put.index()));
        headers.add(header(CREATE_REVISION, put.createRevision()));
        headers.add(header(VERSION, put.version()));
        if (put.lease() != 0) {
            headers.add(header(LEASE, put.lease()));
        }
        headers.add(new Header(CONTENT_TYPE, put.contentType().wireName()));
        if (put.listed()) {
            headers.add(new Header(LISTED, "1"));
        }
        if (!put.unreadable().isEmpty()) {
            headers.add(new Header(UNREADABLE, put.unreadable()));
        }
        return new TopicRecord(put.key(), put.value(), headers);
    }

    private static TopicRecord encodeMark(Change.TideMark mark) {
        String kind = mark.kind().name().toLowerCase(Locale.ROOT);
        String clusterId = Long.toHexString(mark.clusterId());
        String value =
                "{\"format\":1,\"kind\":\""
                        + kind
                        + "\",\"epoch\":"
                        + mark.epoch()
                        + ",\"revision\":"
                        + mark.revision()
                        + ",\"cluster_id\":\""
                        + clusterId
                        + "\",\"connector\":\""
                        + escaped(mark.connector())
                        + "\",\"scope\":\""
                        + escaped(mark.scope())
                        + "\",\"time\":"
                        + mark.timeMillis()
                        + "}";
        return new TopicRecord(
                markKey(mark.kind()),
                Bytes.utf8(value),
                List.of(
                        new Header(MARK, kind),
                        header(EPOCH, mark.epoch()),
                        header(MOD_REVISION, mark.revision()),
                        new Header(CLUSTER_ID, clusterId),
                        new Header(CONNECTOR, mark.connector()),
                        new Header(SCOPE, mark.scope()),
                        header(TIME, mark.timeMillis())));
    }

    public static Bytes markKey(Change.TideMark.Kind kind) {
        return CONTROL_PREFIX.concat(Bytes.utf8(kind.name().toLowerCase(Locale.ROOT)));
    }

    /**
     * Decodes a record of the topic.
     *
     * @param value null for a delete
     * @throws MalformedRecordException with what is wrong; the caller knows the record's position
     * @throws NewerFormatException when a later release wrote it: the caller must not skip it
     */
    public static Change decode(
            byte @Nullable [] key, byte @Nullable [] value, HeaderLookup headers)
            throws MalformedRecordException {
        requireKnownFormat(headers);
        if (key == null) {
            throw new MalformedRecordException("the record has no key");
        }
        try {
            long epoch = number(headers, EPOCH);
            long revision = number(headers, MOD_REVISION);
            String mark = text(headers, MARK);
            if (mark != null) {
                String connector = text(headers, CONNECTOR);
                String scope = text(headers, SCOPE);
                return new Change.TideMark(
                        epoch,
                        revision,
                        kindOf(mark),
                        Long.parseUnsignedLong(required(headers, CLUSTER_ID), 16),
                        connector == null ? "" : connector,
                        scope == null ? "" : scope,
                        headers.find(TIME) == null ? 0 : number(headers, TIME));
            }
            int index = Math.toIntExact(number(headers, INDEX));
            if (value == null) {
                return new Change.Delete(epoch, revision, index, Bytes.wrap(key));
            }
            String unreadable = text(headers, UNREADABLE);
            return new Change.Put(
                    epoch,
                    revision,
                    index,
                    Bytes.wrap(key),
                    Bytes.wrap(value),
                    contentTypeOf(required(headers, CONTENT_TYPE)),
                    number(headers, CREATE_REVISION),
                    number(headers, VERSION),
                    headers.find(LEASE) == null ? 0 : number(headers, LEASE),
                    headers.find(LISTED) != null,
                    unreadable == null ? "" : unreadable);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new MalformedRecordException(String.valueOf(e.getMessage()));
        }
    }

    private static void requireKnownFormat(HeaderLookup headers) throws MalformedRecordException {
        if (headers.find(FORMAT_HEADER) == null) {
            return;
        }
        long format = number(headers, FORMAT_HEADER);
        if (format < 1 || format > Integer.MAX_VALUE) {
            throw new MalformedRecordException("header format is " + format);
        }
        if (format > FORMAT) {
            throw new NewerFormatException((int) format);
        }
    }

    private static Header header(String name, long value) {
        return new Header(name, Long.toString(value));
    }

    private static long number(HeaderLookup headers, String name) throws MalformedRecordException {
        byte[] value = headers.find(name);
        if (value != null && value.length > 0 && value.length <= MAX_DIGITS) {
            long number = digits(value);
            if (number >= 0) {
                return number;
            }
        }
        String text = required(headers, name);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new MalformedRecordException("header " + name + " is not a number: " + text);
        }
    }

    /** The number, -1 for anything but digits. */
    private static long digits(byte[] value) {
        long number = 0;
        for (byte digit : value) {
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = 10 * number + digit - '0';
        }
        return number;
    }

    private static String required(HeaderLookup headers, String name)
            throws MalformedRecordException {
        String text = text(headers, name);
        if (text == null) {
            throw new MalformedRecordException("header " + name + " is missing");
        }
        return text;
    }

    private static @Nullable String text(HeaderLookup headers, String name) {
        byte[] value = headers.find(name);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static Change.TideMark.Kind kindOf(String mark) throws MalformedRecordException {
        for (Change.TideMark.Kind kind : Change.TideMark.Kind.values()) {
            if (kind.name().equalsIgnoreCase(mark)) {
                return kind;
            }
        }
        throw new MalformedRecordException("unknown kind of mark: " + mark);
    }

    private static ContentType contentTypeOf(String wireName) throws MalformedRecordException {
        for (ContentType type : ContentType.values()) {
            if (type.wireName().equals(wireName)) {
                return type;
            }
        }
        throw new MalformedRecordException("unknown content type: " + wireName);
    }

    /** Escapes for a JSON string. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append("\\u%04x".formatted((int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
