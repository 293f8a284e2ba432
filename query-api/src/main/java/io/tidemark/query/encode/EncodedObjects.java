package io.tidemark.query.encode;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Objects that were encoded as protobuf, so that clients which list the same objects at the same
 * time, and the second pass of a long list, find them done. Bounded by bytes; objects that are
 * asked for often stay, also when one list is larger than the bound. Thread-safe.
 *
 * <p>An entry is that of one version's bytes: after a restore of etcd another object can have the
 * same key and revision.
 */
public final class EncodedObjects {
    /** At most this part of the heap. */
    private static final int HEAP_PART = 16;

    /** What an entry takes besides its bytes, about. */
    private static final int OVERHEAD = 200;

    private final Cache<Version, byte[]> messages;

    /** One version of an object, as it is stored, in one served version. */
    record Version(
            String apiVersion, Bytes key, long revision, int length, int hash, int checksum) {
        /** Reads all bytes of the object: call it once for each. */
        static Version of(String apiVersion, StoredObject object) {
            byte[] stored = object.stored();
            CRC32C checksum = new CRC32C();
            checksum.update(stored);
            return new Version(
                    apiVersion,
                    object.key(),
                    object.revision(),
                    stored.length,
                    Arrays.hashCode(stored),
                    (int) checksum.getValue());
        }
    }

    /**
     * @param mostBytes of all entries together
     */
    public EncodedObjects(long mostBytes) {
        this.messages =
                Caffeine.newBuilder()
                        .maximumWeight(mostBytes)
                        .weigher((Version _, byte[] message) -> message.length + OVERHEAD)
                        .executor(Runnable::run)
                        .build();
    }

    /** With a sixteenth of this process's heap. */
    public static EncodedObjects inHeap() {
        return new EncodedObjects(Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /** The object's message, which is for reading only. */
    Optional<byte[]> find(Version version) {
        return Optional.ofNullable(messages.getIfPresent(version));
    }

    void keep(Version version, byte[] message) {
        messages.put(version, message);
    }
}
