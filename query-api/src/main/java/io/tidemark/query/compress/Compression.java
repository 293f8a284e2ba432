package io.tidemark.query.compress;

/** The compression of a node's responses. Closing it frees native memory. */
public final class Compression implements AutoCloseable {
    private final boolean watches;
    private final GzipPieces gzip = new GzipPieces();
    private final ZstdFrames zstd = new ZstdFrames();

    /**
     * @param watches whether watches are compressed
     */
    public Compression(boolean watches) {
        this.watches = watches;
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
            case GZIP -> new GzipStream(gzip);
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

    @Override
    public void close() {
        gzip.close();
        zstd.close();
    }
}
