package io.tidemark.query.encode;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.group.ObjectVersion;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/**
 * Objects that were encoded as protobuf, so that clients which list the same objects at the same
 * time, and the second pass of a long list, find them done. Bounded by bytes; objects that are
 * asked for often stay, also when one list is larger than the bound. Thread-safe.
 */
public final class EncodedObjects {
    /** At most this part of the heap. */
    private static final int HEAP_PART = 16;

    /** What an entry takes besides its bytes, about. */
    private static final int OVERHEAD = 200;

    private final Cache<Version, byte[]> messages;

    /** One version of an object in one served version. */
    record Version(String apiVersion, ObjectVersion stored) {
        static Version of(String apiVersion, StoredObject object) {
            return new Version(apiVersion, ObjectVersion.of(object));
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

    /** Whether an encoding of the object may be kept in memory: that of a Secret may not. */
    static boolean isKept(Resource resource, StoredObject object) {
        return !object.isSecret() && areKept(resource);
    }

    /** Whether encodings of objects of a resource may be kept at all. */
    static boolean areKept(Resource resource) {
        return !resource.kind().equals("Secret");
    }

    /** The object's message, which is for reading only. */
    Optional<byte[]> find(Version version) {
        return Optional.ofNullable(messages.getIfPresent(version));
    }

    void keep(Version version, byte[] message) {
        messages.put(version, message);
    }
}
