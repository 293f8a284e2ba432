package io.tidemark.view.object;

import io.tidemark.record.BigEndian;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of one key in its stored form: one array, with everything a reader needs before the
 * value, so that selectors read attributes and responses copy bytes, and neither decodes the value.
 *
 * <pre>
 * 0   1  format, 2
 * 1   1  flags: bit 0 Kubernetes object, bit 1 unreadable, bit 2 metadata only, bit 3 the metadata
 *        is in the order of a metadata-only response, bit 4 a Secret: encrypted on disk, bit 5
 *        a placeholder for a Secret that could not be decrypted, bit 6 that Secret is unreadable,
 *        bit 7 the value is a protobuf message
 * 2   8  mod revision            big-endian, as all numbers here
 * 10  8  create revision
 * 18  8  version
 * 26  8  lease
 * 34  4  offset in the value of metadata.resourceVersion's digits, 0 when it is no object
 * 38  4  end of the attributes = start of the value
 * 42  4  offset in the value of the metadata, 0 when it is no object
 * 46  4  length of the metadata
 * 50  …  attributes, each: kind (1: 'l' label, 'f' field, with an empty value when it was extracted
 *        and is not set, 'm' where in the value metadata.managedFields begins (4) and ends (4), with
 *        a comma, 'p' how long a protobuf message of that type is (4), 'r' reason it is unreadable, 's'
 *        length (4) and CRC-32C (4) of the whole object, in its place), length of name (2), name,
 *        length of value (4), value; sorted by kind, then name
 *     …  the value
 * </pre>
 */
public final class StoredObject {
    /** The first byte of every stored object. */
    public static final byte FORMAT = 2;

    static final int HEADER_LENGTH = 50;
    static final int KUBERNETES = 1;
    static final int UNREADABLE = 2;
    static final int METADATA_ONLY = 4;
    static final int METADATA_ORDERED = 8;
    static final int SECRET = 16;
    static final int LOCKED = 32;
    static final int LOCKED_UNREADABLE = 64;
    static final int PROTOBUF = 128;
    private static final byte LABEL = 'l';
    private static final byte MANAGED_FIELDS = 'm';
    private static final int RESOURCE_VERSION_AT = 34;
    private static final int VALUE_AT = 38;
    private static final int METADATA_AT = 42;
    private static final int METADATA_LENGTH_AT = 46;
    private static final int REVISION_AT = 2;

    /** This many bytes of the beginning of a stored object contain its revision. */
    public static final int REVISION_END = REVISION_AT + Long.BYTES;

    /** This many bytes of the beginning are flags and revisions: they say nothing of the value. */
    public static final int HEAD_END = 34;

    private final Bytes key;
    private final byte[] stored;

    /** Wraps the bytes from {@link #encode}, without a copy. */
    public StoredObject(Bytes key, byte[] stored) {
        if (stored.length < HEADER_LENGTH || stored[0] != FORMAT) {
            throw new IllegalArgumentException(
                    "no stored object of format " + FORMAT + ": " + stored.length + " bytes");
        }
        this.key = key;
        this.stored = stored;
    }

    /**
     * Encodes a version.
     *
     * @param labels and {@code fields}: the attributes for selectors, by name; a field that is not
     *     set has an empty value
     * @param resourceVersionOffset where in {@code value} the digits of metadata.resourceVersion
     *     begin; 0 when it is not a Kubernetes object
     */
    public static StoredObject encode(
            Bytes key,
            Bytes value,
            ContentType contentType,
            long revision,
            long createRevision,
            long version,
            long lease,
            String unreadable,
            Map<String, String> labels,
            Map<String, String> fields,
            int resourceVersionOffset) {
        return encode(
                key,
                value,
                contentType,
                revision,
                createRevision,
                version,
                lease,
                unreadable,
                labels,
                fields,
                resourceVersionOffset,
                contentType == ContentType.KUBERNETES_JSON
                        ? MetadataCut.find(value.array(), resourceVersionOffset)
                        : MetadataCut.Place.NOWHERE);
    }

    /** The same, for a caller that knows where the metadata is. */
    public static StoredObject encode(
            Bytes key,
            Bytes value,
            ContentType contentType,
            long revision,
            long createRevision,
            long version,
            long lease,
            String unreadable,
            Map<String, String> labels,
            Map<String, String> fields,
            int resourceVersionOffset,
            MetadataCut.Place metadata) {
        int metadataEnd = metadata.from() + metadata.length();
        Optional<ManagedFieldsCut> managedFields =
                metadata.length() == 0
                        ? Optional.empty()
                        : Optional.of(
                                ManagedFieldsCut.find(value.array(), metadata.from(), metadataEnd));
        byte[] attributes = AttributeBlock.encode(labels, fields, managedFields, unreadable);
        boolean kubernetes = contentType == ContentType.KUBERNETES_JSON;
        int valueOffset = HEADER_LENGTH + attributes.length;
        ByteBuffer out = ByteBuffer.allocate(valueOffset + value.length());
        out.put(FORMAT);
        out.put(
                (byte)
                        ((kubernetes ? KUBERNETES : 0)
                                | (unreadable.isEmpty() ? 0 : UNREADABLE)
                                | (metadata.ordered() ? METADATA_ORDERED : 0)));
        out.putLong(revision).putLong(createRevision).putLong(version).putLong(lease);
        out.putInt(resourceVersionOffset).putInt(valueOffset);
        out.putInt(metadata.from()).putInt(metadata.length());
        out.put(attributes).put(value.array());
        return new StoredObject(key, out.array());
    }

    /**
     * The same version with {@code kind}, {@code apiVersion} and the metadata only, the latter in
     * the order of a metadata-only response; without any value if it is no Kubernetes object.
     * Revisions and attributes stay. Copies bytes, decodes nothing.
     */
    public StoredObject metadataOnly() {
        if (isMetadataOnly()) {
            return this;
        }
        boolean any = metadataLength() > 0 && resourceVersionOffset() > 0;
        MetadataCut.Value cut =
                any
                        ? MetadataCut.of(stored, valueOffset(), orderedMetadata())
                        : new MetadataCut.Value(new byte[0], 0, 0);
        int metadataEnd = cut.json().length - 1;
        ByteBuffer out = ByteBuffer.allocate(valueOffset() + cut.json().length);
        out.put(stored, 0, valueOffset()).put(cut.json());
        out.put(1, (byte) (stored[1] | METADATA_ONLY | (any ? METADATA_ORDERED : 0)));
        out.putInt(RESOURCE_VERSION_AT, cut.resourceVersionFrom())
                .putInt(METADATA_AT, cut.metadataFrom());
        out.putInt(METADATA_LENGTH_AT, any ? metadataEnd - cut.metadataFrom() : 0);
        if (any) {
            putManagedFields(
                    out, ManagedFieldsCut.find(cut.json(), cut.metadataFrom(), metadataEnd));
        }
        return new StoredObject(key, out.array());
    }

    /** The same version without its value; revisions and attributes stay. */
    StoredObject withoutValue() {
        byte[] head = Arrays.copyOf(stored, valueOffset());
        head[1] |= METADATA_ONLY;
        ByteBuffer.wrap(head)
                .putInt(RESOURCE_VERSION_AT, 0)
                .putInt(METADATA_AT, 0)
                .putInt(METADATA_LENGTH_AT, 0);
        return new StoredObject(key, head);
    }

    /** The same version with an attribute whose kind comes after those that it has. */
    StoredObject with(byte[] attribute) {
        int valueOffset = valueOffset();
        ByteBuffer out = ByteBuffer.allocate(stored.length + attribute.length);
        out.put(stored, 0, valueOffset).put(attribute);
        out.put(stored, valueOffset, valueLength());
        out.putInt(VALUE_AT, valueOffset + attribute.length);
        return new StoredObject(key, out.array());
    }

    /** An attribute that is a number; -1 when there is none. */
    int number(byte kind, String name) {
        return number(kind, name, 0);
    }

    /** One of the numbers of an attribute; -1 when there is none. */
    int number(byte kind, String name, int index) {
        int at = AttributeBlock.valueOf(stored, HEADER_LENGTH, valueOffset(), kind, name);
        return at < 0 ? -1 : BigEndian.intAt(stored, at + index * Integer.BYTES);
    }

    /** Replaces the place of managed fields in a copy of this object, if it has one. */
    private void putManagedFields(ByteBuffer copy, ManagedFieldsCut cut) {
        int at = AttributeBlock.valueOf(stored, HEADER_LENGTH, valueOffset(), MANAGED_FIELDS, "");
        if (at > 0) {
            copy.putInt(at, cut.from()).putInt(at + Integer.BYTES, cut.to());
        }
    }

    /**
     * The same version without {@code metadata.managedFields}; this one when it has none. Copies
     * bytes, decodes nothing.
     */
    public StoredObject withoutManagedFields() {
        ManagedFieldsCut cut = managedFields();
        if (cut.length() == 0) {
            return this;
        }
        ByteBuffer out = ByteBuffer.allocate(stored.length - cut.length());
        out.put(stored, 0, cut.from()).put(stored, cut.to(), stored.length - cut.to());
        if (resourceVersionOffset() > cut.from()) {
            out.putInt(
                    RESOURCE_VERSION_AT,
                    BigEndian.intAt(stored, RESOURCE_VERSION_AT) - cut.length());
        }
        out.putInt(METADATA_LENGTH_AT, metadataLength() - cut.length());
        putManagedFields(out, ManagedFieldsCut.NONE);
        return new StoredObject(key, out.array());
    }

    /** In {@link #stored}; an object from before this was an attribute has to be searched. */
    private ManagedFieldsCut managedFields() {
        if (metadataLength() == 0) {
            return ManagedFieldsCut.NONE;
        }
        int at = AttributeBlock.valueOf(stored, HEADER_LENGTH, valueOffset(), MANAGED_FIELDS, "");
        return at < 0
                ? ManagedFieldsCut.find(
                        stored, metadataOffset(), metadataOffset() + metadataLength())
                : new ManagedFieldsCut(
                                BigEndian.intAt(stored, at),
                                BigEndian.intAt(stored, at + Integer.BYTES))
                        .moved(valueOffset());
    }

    private byte[] orderedMetadata() {
        int from = metadataOffset();
        int to = from + metadataLength();
        return isMetadataOrdered()
                ? Arrays.copyOfRange(stored, from, to)
                : MetadataText.ordered(stored, from, to);
    }

    /** The same version, as one that stores encrypt on disk. The flag stays with its copies. */
    public StoredObject asSecret() {
        byte[] copy = stored.clone();
        copy[1] |= SECRET;
        return new StoredObject(key, copy);
    }

    /** Whether stores encrypt it on disk, see {@link #asSecret}. */
    public boolean isSecret() {
        return (stored[1] & SECRET) != 0;
    }

    /** Whether stored bytes are a Secret with its value, not a placeholder for one. */
    public static boolean isPlainSecret(byte[] stored) {
        return (stored[1] & (SECRET | LOCKED)) == SECRET;
    }

    /**
     * Whether it stands for a Secret that a store could not decrypt: it has its revisions, no value
     * and no attributes, and is unreadable.
     */
    public boolean isLocked() {
        return (stored[1] & LOCKED) != 0;
    }

    /** Whether the Secret that could not be decrypted is itself unreadable. */
    public boolean isLockedUnreadable() {
        return (stored[1] & LOCKED_UNREADABLE) != 0;
    }

    /**
     * A placeholder for a Secret that cannot be decrypted.
     *
     * @param head at least its first {@link #HEAD_END} bytes; the format does not matter
     * @param reason why, for readers
     */
    public static StoredObject locked(Bytes key, ByteBuffer head, String reason) {
        int flags = head.get(1);
        StoredObject made =
                encode(
                        key,
                        Bytes.EMPTY,
                        ContentType.RAW,
                        head.getLong(REVISION_AT),
                        head.getLong(10),
                        head.getLong(18),
                        head.getLong(26),
                        reason,
                        Map.of(),
                        Map.of(),
                        0);
        made.stored[1] |= SECRET | LOCKED;
        made.stored[1] |= (byte) (flags & METADATA_ONLY);
        made.stored[1] |= (byte) ((flags & UNREADABLE) != 0 ? LOCKED_UNREADABLE : 0);
        return made;
    }

    /**
     * Reads only the revision, from the beginning of the stored bytes.
     *
     * @param head at least the first {@link #REVISION_END} bytes
     * @param length of all stored bytes
     * @throws IllegalArgumentException when it is no stored object
     */
    public static long revisionIn(byte[] head, int length) {
        if (length < HEADER_LENGTH || head[0] != FORMAT) {
            throw new IllegalArgumentException(
                    "no stored object of format " + FORMAT + ": " + length + " bytes");
        }
        return BigEndian.longAt(head, REVISION_AT);
    }

    /** Whether only {@link #metadataOnly a part} of the value is present. */
    public boolean isMetadataOnly() {
        return (stored[1] & METADATA_ONLY) != 0;
    }

    /** Whether the metadata can be shown unchanged by itself, see {@link #metadataOnly}. */
    public boolean isMetadataOrdered() {
        return (stored[1] & METADATA_ORDERED) != 0;
    }

    /** The offset in {@link #stored()} of the metadata's opening brace. */
    public int metadataOffset() {
        return valueOffset() + BigEndian.intAt(stored, METADATA_AT);
    }

    /** The metadata's length in bytes; 0 when this is not a Kubernetes object. */
    public int metadataLength() {
        return BigEndian.intAt(stored, METADATA_LENGTH_AT);
    }

    /** The etcd key. */
    public Bytes key() {
        return key;
    }

    /** The stored bytes, not a copy: for the store, and for sending them to a peer. */
    public byte[] stored() {
        return stored;
    }

    /** Whether the value is a Kubernetes object as JSON. */
    public boolean isKubernetes() {
        return (stored[1] & KUBERNETES) != 0;
    }

    /** Whether this should be a Kubernetes object but is not a valid one; see {@link #reason}. */
    public boolean isUnreadable() {
        return (stored[1] & UNREADABLE) != 0;
    }

    /** Whether the connector withheld the value because it is a Secret; then the value is empty. */
    public boolean isWithheld() {
        return isUnreadable() && reason().equals(Change.Put.WITHHELD);
    }

    /** Whether the value is a Secret that the node could not decrypt; then the value is empty. */
    public boolean isUndecrypted() {
        return isUnreadable() && reason().startsWith(Change.Put.LOCKED);
    }

    /** The revision of this version (etcd's mod_revision). */
    public long revision() {
        return BigEndian.longAt(stored, REVISION_AT);
    }

    /** The revision at which the key was last created. */
    public long createRevision() {
        return BigEndian.longAt(stored, 10);
    }

    /** The number of puts since the key was created, from 1. */
    public long version() {
        return BigEndian.longAt(stored, 18);
    }

    /** etcd's lease id, 0 for none. */
    public long lease() {
        return BigEndian.longAt(stored, 26);
    }

    /** The offset of the value in {@link #stored()}; it extends to the end. */
    public int valueOffset() {
        return BigEndian.intAt(stored, VALUE_AT);
    }

    /** In bytes. */
    public int valueLength() {
        return stored.length - valueOffset();
    }

    public byte[] valueCopy() {
        return Arrays.copyOfRange(stored, valueOffset(), stored.length);
    }

    /** The value as text, for tests and for display; readers copy bytes. */
    public String valueText() {
        return new String(stored, valueOffset(), valueLength(), StandardCharsets.UTF_8);
    }

    /**
     * The offset in {@link #stored()} of metadata.resourceVersion's digits, which equal {@link
     * #revision()}. 0 when this is not a Kubernetes object.
     */
    public int resourceVersionOffset() {
        int inValue = BigEndian.intAt(stored, RESOURCE_VERSION_AT);
        return inValue == 0 ? 0 : valueOffset() + inValue;
    }

    public @Nullable String label(String name) {
        return AttributeBlock.find(stored, HEADER_LENGTH, valueOffset(), LABEL, name);
    }

    /** All labels by name. */
    public Map<String, String> labels() {
        return AttributeBlock.all(stored, HEADER_LENGTH, valueOffset(), LABEL);
    }

    /** Whether another object has the same labels; compares bytes. */
    public boolean hasSameLabels(StoredObject other) {
        return Arrays.equals(
                stored,
                AttributeBlock.start(stored, HEADER_LENGTH, valueOffset(), LABEL),
                AttributeBlock.end(stored, HEADER_LENGTH, valueOffset(), LABEL),
                other.stored,
                AttributeBlock.start(other.stored, HEADER_LENGTH, other.valueOffset(), LABEL),
                AttributeBlock.end(other.stored, HEADER_LENGTH, other.valueOffset(), LABEL));
    }

    /**
     * A field by its path, such as {@code spec.nodeName}; empty when it is not set. Taken from the
     * attributes, or else read from the value, which takes longer.
     *
     * @throws IllegalStateException when it is not among the attributes of a metadata-only object
     */
    public String field(String path) {
        String extracted = extractedField(path);
        if (extracted != null) {
            return extracted;
        }
        if (isKubernetes() && isMetadataOnly()) {
            throw new IllegalStateException(path + " is not in the metadata of " + this);
        }
        return isKubernetes() ? FieldReader.read(stored, valueOffset(), stored.length, path) : "";
    }

    /**
     * A field among the attributes: empty when the object does not set it, null when it was not
     * extracted, so that its value is unknown.
     */
    public @Nullable String extractedField(String path) {
        return AttributeBlock.find(stored, HEADER_LENGTH, valueOffset(), (byte) 'f', path);
    }

    /** Why it is unreadable; empty when it is not. */
    public String reason() {
        String reason = AttributeBlock.find(stored, HEADER_LENGTH, valueOffset(), (byte) 'r', "");
        return reason == null ? "" : reason;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredObject that
                && key.equals(that.key)
                && Arrays.equals(stored, that.stored);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Long.hashCode(revision());
    }

    @Override
    public String toString() {
        return key + "@" + revision();
    }
}
