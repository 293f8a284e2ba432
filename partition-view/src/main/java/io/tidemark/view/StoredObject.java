package io.tidemark.view;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One version of one key, as it is stored: one array with everything a reader needs in front of the
 * value, so that selectors read attributes and responses copy bytes, and neither decodes the value.
 *
 * <pre>
 * 0   1  format, 2
 * 1   1  flags: bit 0 Kubernetes object, bit 1 unreadable, bit 2 metadata only, bit 3 the metadata
 *        stands in the order in which it is shown by itself
 * 2   8  mod revision            big-endian, as all numbers here
 * 10  8  create revision
 * 18  8  version
 * 26  8  lease
 * 34  4  place of the digits of metadata.resourceVersion in the value, 0 when it is no object
 * 38  4  end of the attributes = start of the value
 * 42  4  place of the metadata in the value, 0 when it is no object
 * 46  4  its length
 * 50  …  attributes, each: kind (1: 'l' label, 'f' field, empty when it was looked for and is not
 *        set, 'r' reason it is unreadable),
 *        length of name (2), name, length of value (4), value; sorted by kind, then name
 *     …  the value
 * </pre>
 */
public final class StoredObject {
    static final byte FORMAT = 2;
    static final int HEADER_LENGTH = 50;
    static final int KUBERNETES = 1;
    static final int UNREADABLE = 2;
    static final int METADATA_ONLY = 4;
    static final int METADATA_ORDERED = 8;
    private static final int RESOURCE_VERSION_AT = 34;
    private static final int REVISION_AT = 2;

    /** So much of the beginning of a stored object tells its revision. */
    public static final int REVISION_END = REVISION_AT + Long.BYTES;

    private final Bytes key;
    private final byte[] stored;
    private final ByteBuffer buffer;

    /** Wraps what {@link #encode} made, without a copy. */
    public StoredObject(Bytes key, byte[] stored) {
        if (stored.length < HEADER_LENGTH || stored[0] != FORMAT) {
            throw new IllegalArgumentException(
                    "no stored object of format " + FORMAT + ": " + stored.length + " bytes");
        }
        this.key = key;
        this.stored = stored;
        this.buffer = ByteBuffer.wrap(stored).order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * Lays out a version.
     *
     * @param labels and {@code fields}: what selectors may ask of it, by name; a field that is not
     *     set stands there as empty
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
        byte[] attributes = AttributeBlock.encode(labels, fields, unreadable);
        boolean kubernetes = contentType == ContentType.KUBERNETES_JSON;
        MetadataCut.Place metadata =
                kubernetes
                        ? MetadataCut.find(value.array(), resourceVersionOffset)
                        : MetadataCut.Place.NOWHERE;
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
     * The same version without most of its value: what is left is {@code kind}, {@code apiVersion}
     * and the metadata, this in the order in which it is shown by itself; of what is no Kubernetes
     * object, nothing. Revisions and attributes stay. Copies bytes, decodes nothing.
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
        ByteBuffer out = ByteBuffer.allocate(valueOffset() + cut.json().length);
        out.put(stored, 0, valueOffset()).put(cut.json());
        out.put(1, (byte) (stored[1] | METADATA_ONLY | (any ? METADATA_ORDERED : 0)));
        out.putInt(RESOURCE_VERSION_AT, cut.resourceVersionFrom()).putInt(42, cut.metadataFrom());
        out.putInt(46, any ? cut.json().length - 1 - cut.metadataFrom() : 0);
        return new StoredObject(key, out.array());
    }

    private byte[] orderedMetadata() {
        int from = metadataOffset();
        int to = from + metadataLength();
        return isMetadataOrdered()
                ? Arrays.copyOfRange(stored, from, to)
                : MetadataText.ordered(stored, from, to);
    }

    /**
     * The revision alone, from the beginning of what is stored.
     *
     * @param head at least its first {@link #REVISION_END} bytes
     * @param length of the whole
     * @throws IllegalArgumentException when it is no stored object
     */
    public static long revisionIn(byte[] head, int length) {
        if (length < HEADER_LENGTH || head[0] != FORMAT) {
            throw new IllegalArgumentException(
                    "no stored object of format " + FORMAT + ": " + length + " bytes");
        }
        return ByteBuffer.wrap(head).getLong(REVISION_AT);
    }

    /** Whether only {@link #metadataOnly a part} of the value is here. */
    public boolean isMetadataOnly() {
        return (stored[1] & METADATA_ONLY) != 0;
    }

    /** Whether the metadata can be shown by itself as it stands, see {@link #metadataOnly}. */
    public boolean isMetadataOrdered() {
        return (stored[1] & METADATA_ORDERED) != 0;
    }

    /** Where in {@link #stored()} the metadata begins, with its brace. */
    public int metadataOffset() {
        return valueOffset() + buffer.getInt(42);
    }

    /** How many bytes it has; 0 when this is not a Kubernetes object. */
    public int metadataLength() {
        return buffer.getInt(46);
    }

    public Bytes key() {
        return key;
    }

    /** All of it, not a copy: for the store, and for writing it to a peer. */
    public byte[] stored() {
        return stored;
    }

    public boolean isKubernetes() {
        return (stored[1] & KUBERNETES) != 0;
    }

    /**
     * Whether this should be a Kubernetes object but could not be made one; see {@link #reason}.
     */
    public boolean isUnreadable() {
        return (stored[1] & UNREADABLE) != 0;
    }

    /**
     * Whether the connector kept the value back because it is a Secret; then there is none here.
     */
    public boolean isWithheld() {
        return isUnreadable() && reason().equals(Change.Put.WITHHELD);
    }

    public long revision() {
        return buffer.getLong(REVISION_AT);
    }

    public long createRevision() {
        return buffer.getLong(10);
    }

    public long version() {
        return buffer.getLong(18);
    }

    /** etcd's lease id, 0 for none. */
    public long lease() {
        return buffer.getLong(26);
    }

    /** Where the value begins in {@link #stored()}; it goes to the end. */
    public int valueOffset() {
        return buffer.getInt(38);
    }

    public int valueLength() {
        return stored.length - valueOffset();
    }

    public byte[] valueCopy() {
        return Arrays.copyOfRange(stored, valueOffset(), stored.length);
    }

    /** The value as text, for tests and for showing; readers copy bytes. */
    public String valueText() {
        return new String(stored, valueOffset(), valueLength(), StandardCharsets.UTF_8);
    }

    /**
     * Where in {@link #stored()} the digits of metadata.resourceVersion begin; they spell {@link
     * #revision()}. 0 when this is not a Kubernetes object.
     */
    public int resourceVersionOffset() {
        int inValue = buffer.getInt(RESOURCE_VERSION_AT);
        return inValue == 0 ? 0 : valueOffset() + inValue;
    }

    public @Nullable String label(String name) {
        return AttributeBlock.find(stored, HEADER_LENGTH, valueOffset(), (byte) 'l', name);
    }

    /**
     * A field by its path, such as {@code spec.nodeName}; empty when it is not set. Looked up when
     * it is among the attributes, else read from the value, which takes longer.
     *
     * @throws IllegalStateException when it is not among the attributes, and the value is not here
     */
    public String field(String path) {
        String extracted = extractedField(path);
        if (extracted != null) {
            return extracted;
        }
        if (isKubernetes() && isMetadataOnly()) {
            throw new IllegalStateException(path + " of " + this + " is not here");
        }
        return isKubernetes() ? FieldReader.read(stored, valueOffset(), stored.length, path) : "";
    }

    /**
     * A field that is among the attributes: empty when the object does not set it, null when it is
     * not among them, so that nothing is known of it here.
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
