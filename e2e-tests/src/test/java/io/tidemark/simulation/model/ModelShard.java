package io.tidemark.simulation.model;

import java.nio.charset.StandardCharsets;

/**
 * A shard of the objects, by the hash of their uid: FNV-1a with 64 bits, as KEP-5866 says. The
 * oracle's own evaluation.
 */
public enum ModelShard {
    /** All objects. */
    ALL(""),
    LOWER("shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"),
    UPPER("shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')");

    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private final String selector;

    ModelShard(String selector) {
        this.selector = selector;
    }

    /** As clients write it; empty for all objects. */
    public String selector() {
        return selector;
    }

    boolean contains(Version version) {
        return switch (this) {
            case ALL -> true;
            case LOWER -> hash(version) >= 0;
            case UPPER -> hash(version) < 0;
        };
    }

    private static long hash(Version version) {
        long hash = OFFSET_BASIS;
        for (byte each : version.payload().uid().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ Byte.toUnsignedLong(each)) * PRIME;
        }
        return hash;
    }
}
