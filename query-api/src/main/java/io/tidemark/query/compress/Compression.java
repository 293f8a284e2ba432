package io.tidemark.query.compress;

import java.util.zip.Deflater;

/** The compression of a node's responses. Closing it frees native memory. */
public final class Compression implements AutoCloseable {
    /** At most this part of the heap. */
    private static final int HEAP_PART = 16;

    private final boolean watches;
    private final GzipPieces gzip = new GzipPieces(Deflater.BEST_SPEED);
    private final ZstdFrames zstd = new ZstdFrames();
    private final SharedPieces shared;

    /**
     * @param watches whether watches are compressed
     * @param sharedBytes of parts that bodies share, at most
     */
    public Compression(boolean watches, long sharedBytes) {
        this.watches = watches;
        this.shared = new SharedPieces(sharedBytes);
    }

    /** With a sixteenth of this process's heap. */
    public static Compression inHeap(boolean watches) {
        return new Compression(watches, Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /**
     * The coding of a body.
     *
     * @param acceptEncoding the request's header; empty without one
     */
    public static ContentCoding ofBody(String acceptEncoding) {
        return AcceptEncoding.parse(acceptEncoding).best(ZstdLibrary::isAvailable);
    }

    /**
     * The coding of a watch's response.
     *
     * @param acceptEncoding the request's header; empty without one
     */
    public StreamCoding ofWatch(String acceptEncoding) {
        if (!watches) {
            return StreamCoding.PLAIN;
        }
        return switch (ofBody(acceptEncoding)) {
            case IDENTITY -> StreamCoding.PLAIN;
            case GZIP -> new GzipStream(gzip, shared);
            case ZSTD -> new ZstdStream(zstd);
        };
    }

    /**
     * How many lines of watches were compressed.
     *
     * @param coding other than {@link ContentCoding#IDENTITY}
     */
    public long lines(ContentCoding coding) {
        return coding == ContentCoding.GZIP ? gzip.made() : zstd.made();
    }

    /** The parts that lists share, and those that beginnings of watches do. */
    public SharedPieces shared() {
        return shared;
    }

    /** How many parts of lists were copied, as another list had them. */
    public long partsFound() {
        return shared.found();
    }

    /** How many parts of lists were compressed. */
    public long partsMade() {
        return shared.made();
    }

    @Override
    public void close() {
        shared.close();
        gzip.close();
        zstd.close();
    }
}
