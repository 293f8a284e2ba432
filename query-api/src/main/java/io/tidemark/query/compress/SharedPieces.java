package io.tidemark.query.compress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Parts of bodies that were compressed, so that the next body with the same part copies it. Bounded
 * by bytes; parts that are asked for often stay. Thread-safe.
 */
public final class SharedPieces implements AutoCloseable {
    /** A part is meant to have no more than about this, in bytes before compression. */
    public static final int MOST = 256 << 10;

    /** Approximate memory that making a long part takes: of what it is made of, and its bytes. */
    public static final long MEMORY = 2 * MOST;

    /** What an entry takes besides its key and its bytes, about. */
    private static final int OVERHEAD = 150;

    /** So many bodies are remembered. */
    private static final int MOST_BODIES = 4_096;

    /** As fast as level 1 for parts of lists, and 8 % smaller. */
    private static final int LEVEL = 3;

    private final GzipPieces compressor = new GzipPieces(LEVEL);
    private final LongAdder found = new LongAdder();
    private final Cache<Key, GzipPiece> pieces;

    /** The bodies that had parts when they were last made. */
    private final Cache<Object, Boolean> divided =
            Caffeine.newBuilder().maximumSize(MOST_BODIES).executor(Runnable::run).build();

    /** What a part is made of: parts with equal keys are equal. */
    public interface Key {
        /** The memory that the key takes, about, in bytes. */
        int memory();
    }

    /**
     * @param mostBytes of all entries together
     */
    SharedPieces(long mostBytes) {
        this.pieces =
                Caffeine.newBuilder()
                        .maximumWeight(mostBytes)
                        .weigher((Key key, GzipPiece piece) ->
                                key.memory() + piece.bytes().length + OVERHEAD)
                        .executor(Runnable::run)
                        .build();
    }

    /** The part with this key, if it is known. */
    public Optional<GzipPiece> find(Key key) {
        Optional<GzipPiece> known = Optional.ofNullable(pieces.getIfPresent(key));
        known.ifPresent(_ -> found.increment());
        return known;
    }

    /**
     * The part with this key. Of several threads that ask for one that is missing, one makes it and
     * the others wait.
     *
     * @param make makes the part, without asking for another
     */
    public GzipPiece get(Key key, Supplier<byte[]> make) {
        return find(key).orElseGet(() -> pieces.get(key, _ -> compressor.encode(make.get())));
    }

    /**
     * Whether a body consisted of parts when it was last made, so that it is likely to again.
     *
     * @param body names the same content as of another time
     */
    public boolean hadParts(Object body) {
        return divided.getIfPresent(body) != null;
    }

    /** Remembers whether a body consisted of parts. */
    public void made(Object body, boolean ofParts) {
        if (ofParts) {
            divided.put(body, true);
        } else {
            divided.invalidate(body);
        }
    }

    /** A part that is not kept. */
    public GzipPiece compress(byte[] part) {
        return compressor.encode(part);
    }

    /** How many parts were found compressed. */
    long found() {
        return found.sum();
    }

    /** How many parts were compressed. */
    long made() {
        return compressor.made();
    }

    @Override
    public void close() {
        compressor.close();
    }
}
