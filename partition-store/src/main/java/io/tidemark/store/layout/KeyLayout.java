package io.tidemark.store.layout;

import io.tidemark.record.BigEndian;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.request.ChangePosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The layout of all keys of the store of one partition. The store is a few ordered key-value maps,
 * the families, that are written together in atomic batches. A stored object is one version of an
 * etcd key with its value, revisions and the attributes that selectors use ({@link
 * io.tidemark.view.object.StoredObject}). Numbers are big-endian, so that bytes order like numbers.
 *
 * <pre>
 * family     key                                         value
 * objects    etcd key                                    stored object: the newest version
 * metadata   etcd key                                    the same without most of its value
 * checksums  etcd key                                    the same without a value, with the length and
 *                                                        the checksum of {@code objects}
 * versions   escaped etcd key, 00 01, until (8)          stored object: the version that revision
 *                                                        {@code until} replaced or deleted
 * history    revision (8), index (4)                     one change: put or delete, etcd key,
 *                                                        revision and length of what it replaced
 * index      source (1: 'l' label, 'f' field), name, 00,
 *            value, 00, etcd key                         nothing; see {@link IndexEntries}
 *            'u', etcd key                               why its newest version is unreadable
 * protobuf   etcd key                                    stored object: the same as a protobuf
 *                                                        message, in stores that keep this form;
 *                                                        without a value for an object that has none
 * protobuf_length  etcd key                              the same without a value, with the length of
 *                                                        the message
 * meta       "state"                                     watermark, floor, epoch, topic offset
 *            "fingerprint"                               what the store was built for, as text
 *            "indexes"                                   what {@code index} holds, as text
 *            "protobuf"                                  what made {@code protobuf}, as text
 *            "missing keys"                              ids of keys, by blanks: an encrypted
 *                                                        Secret needs them, and they were missing
 *            "sealing keys"                              ids of keys that Secrets in this store are
 *                                                        encrypted with
 *            't', end of a time slot in ms (8)           revision (8): the watermark by then
 * </pre>
 *
 * In {@code versions} a key is followed by a number, and etcd keys are arbitrary bytes: so a 00 in
 * the key is written as 00 FF, and 00 01 ends it. That keeps the order of the keys, and all
 * versions of a key together. A version is stored under the revision that ended it, not the one
 * that began it (which is in the stored object): the version valid at R is then the first one after
 * (key, R), if it began at or before R; and the event at R finds its previous object by (key, R). A
 * name or value that contains 00 is not indexed, so 00 ends them. History and versions at and below
 * the floor, the oldest readable revision, are deleted.
 */
public final class KeyLayout {
    /** Key of {@code meta}: the {@link FoldState}, written with every batch. */
    public static final Bytes STATE = Bytes.utf8("state");

    /** Key of {@code meta}: the layout and the topic that the store was built for. */
    public static final Bytes FINGERPRINT = Bytes.utf8("fingerprint");

    /** Key of {@code meta}: what {@code index} holds. */
    public static final Bytes INDEXES = Bytes.utf8("indexes");

    /** Key of {@code meta}: ids of keys that encrypted Secrets needed and the node did not have. */
    public static final Bytes MISSING_KEYS = Bytes.utf8("missing keys");

    /** Key of {@code meta}: ids of keys that Secrets in this store are encrypted with. */
    public static final Bytes SEALING_KEYS = Bytes.utf8("sealing keys");

    private static final byte SAMPLE = 't';
    private static final Bytes UNREADABLE = Bytes.utf8("u");

    /** All samples, the watermarks by time, are at or after this key of {@code meta}. */
    static final Bytes SAMPLES_FROM = Bytes.wrap(new byte[] {SAMPLE});

    private static final int REVISION_LENGTH = 8;
    private static final byte ESCAPED = (byte) 0xff;
    private static final byte END = 1;

    private KeyLayout() {}

    /** The key, in {@code versions}, of the version that {@code untilRevision} ended. */
    public static Bytes version(Bytes key, long untilRevision) {
        int escaped = escapedLength(key);
        ByteBuffer out = ByteBuffer.allocate(escaped + 2 + REVISION_LENGTH);
        putEscaped(out, key);
        return Bytes.wrap(out.put((byte) 0).put(END).putLong(untilRevision).array());
    }

    /** The smallest key of {@code versions} above every version of {@code key}. */
    public static Bytes versionsEnd(Bytes key) {
        ByteBuffer out = ByteBuffer.allocate(escapedLength(key) + 2);
        putEscaped(out, key);
        return Bytes.wrap(out.put((byte) 0).put((byte) (END + 1)).array());
    }

    /** The start of the versions of keys at or above {@code key}. */
    public static Bytes versionsFrom(Bytes key) {
        ByteBuffer out = ByteBuffer.allocate(escapedLength(key));
        putEscaped(out, key);
        return Bytes.wrap(out.array());
    }

    /** The etcd key, unescaped, of a key of {@code versions}. */
    public static Bytes keyOfVersion(Bytes versionKey) {
        int end = versionKey.length() - REVISION_LENGTH - 2;
        byte[] key = new byte[end];
        int length = 0;
        for (int i = 0; i < end; i++) {
            byte b = versionKey.at(i);
            key[length++] = b;
            if (b == 0) {
                i++; // Skip the FF of an escaped 00.
            }
        }
        return Bytes.wrap(length == end ? key : Arrays.copyOf(key, length));
    }

    /** The revision that ended the version of a key of {@code versions}. */
    public static long untilOfVersion(Bytes versionKey) {
        return BigEndian.longAt(versionKey.array(), versionKey.length() - REVISION_LENGTH);
    }

    /** The key, in {@code history}, of one change. */
    public static Bytes history(long revision, int index) {
        byte[] key = new byte[REVISION_LENGTH + Integer.BYTES];
        BigEndian.put(key, 0, revision);
        BigEndian.put(key, REVISION_LENGTH, index);
        return Bytes.wrap(key);
    }

    /** The start of the history after a revision; {@link Bytes#EMPTY}, "no end", after the last. */
    public static Bytes historyAfter(long revision) {
        return revision == Long.MAX_VALUE ? Bytes.EMPTY : history(revision + 1, 0);
    }

    /** The start of the history after a position. */
    public static Bytes historyAfter(ChangePosition position) {
        return position.isWhole()
                ? historyAfter(position.revision())
                : history(position.revision(), position.index() + 1);
    }

    public static long revisionOfHistory(Bytes historyKey) {
        return BigEndian.longAt(historyKey.array(), 0);
    }

    public static int indexOfHistory(Bytes historyKey) {
        return BigEndian.intAt(historyKey.array(), REVISION_LENGTH);
    }

    /** The entry, in {@code index}, of an object with this value of a label or field. */
    static Bytes index(Source source, String name, String value, Bytes key) {
        return indexValue(source, name, value).concat(key);
    }

    /** The common prefix of all entries of one value of a label or field. */
    public static Bytes indexValue(Source source, String name, String value) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] valueBytes = value.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(3 + nameBytes.length + valueBytes.length);
        out.put(marker(source)).put(nameBytes).put((byte) 0).put(valueBytes).put((byte) 0);
        return Bytes.wrap(out.array());
    }

    /** The common prefix of the entries of all labels, or of all fields. */
    public static Bytes indexesOf(Source source) {
        return Bytes.wrap(new byte[] {marker(source)});
    }

    private static byte marker(Source source) {
        return switch (source) {
            case LABEL -> 'l';
            case FIELD -> 'f';
        };
    }

    /** The entry of a key, or the common prefix of those whose keys start with {@code key}. */
    static Bytes unreadable(Bytes key) {
        return UNREADABLE.concat(key);
    }

    static Bytes keyOfUnreadable(Bytes entry) {
        return entry.slice(UNREADABLE.length(), entry.length());
    }

    static Bytes sample(long timeMillis) {
        byte[] key = new byte[1 + Long.BYTES];
        key[0] = SAMPLE;
        BigEndian.put(key, 1, timeMillis);
        return Bytes.wrap(key);
    }

    static long timeOfSample(Bytes sampleKey) {
        return BigEndian.longAt(sampleKey.array(), 1);
    }

    static Bytes number(long value) {
        byte[] stored = new byte[Long.BYTES];
        BigEndian.put(stored, 0, value);
        return Bytes.wrap(stored);
    }

    static long number(byte[] stored) {
        return BigEndian.longAt(stored, 0);
    }

    private static int escapedLength(Bytes key) {
        int length = key.length();
        for (int i = 0; i < key.length(); i++) {
            if (key.at(i) == 0) {
                length++;
            }
        }
        return length;
    }

    private static void putEscaped(ByteBuffer out, Bytes key) {
        byte[] bytes = key.array();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                out.put(bytes, from, i + 1 - from).put(ESCAPED);
                from = i + 1;
            }
        }
        out.put(bytes, from, bytes.length - from);
    }
}
