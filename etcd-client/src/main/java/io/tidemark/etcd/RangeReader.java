package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a range in pages, all at one revision: that of the request, or of the first page. It
 * requests the first page. The rest it reads from a stream if the member that answered has etcd
 * 3.7's RangeStream, and in further pages otherwise. A stream is never needed: when one fails, the
 * reader requests the page after the last key, so what fails the read is always the answer to a
 * page. Not thread-safe.
 */
public final class RangeReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RangeReader.class);

    /**
     * Keys of the page after a broken stream: where large values follow small ones, the stream
     * broke at a chunk with many of them, and a page of the usual size would be too large too.
     */
    private static final int SHORT_PAGE = 10;

    private final EtcdClient client;
    private final RangeRequest range;

    private Bytes from;
    private long revision;

    /** How to read on after the keys of the last chunk. */
    private enum Mode {
        /** Request a page, which shows the cluster: a stream shows it only at its end. */
        PAGE,
        /** Read from the stream; open one if none is open. */
        STREAM,
        /** Request pages only, since a stream did not begin. */
        PAGES
    }

    private Mode mode = Mode.PAGE;
    private @Nullable RangeStream stream;

    /** The last requested page; the stream after it is of the same cluster. */
    private @Nullable RangePage requested;

    /** The keys of the last chunk that were not returned yet. */
    private List<KeyValue> chunk = List.of();

    private boolean moreAfterChunk;

    /** Keys left in the range, as far as known. */
    private long left;

    RangeReader(EtcdClient client, RangeRequest range) {
        this.client = client;
        this.range = range;
        from = range.key();
        revision = range.revision();
    }

    /**
     * The next page, until one has no more keys after it. The last one has no keys if the range has
     * none, or if a stream broke behind its last key. After a failure, the same page can be read
     * again; after {@code OTHER_CLUSTER} nothing can, and the pages before must be discarded.
     *
     * @param limit most keys of the page; it may have fewer
     * @throws EtcdException {@code COMPACTED} when the revision was compacted meanwhile, {@code
     *     TOO_LARGE} when the page does not fit a message, {@code OTHER_CLUSTER} when another
     *     cluster than that of the first page has answered
     */
    public RangePage next(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("page size of %d keys".formatted(limit));
        }
        RangePage page = hasChunk() ? ofChunk(limit) : request(limit);
        if (page.more()) {
            from = page.keyValues().getLast().key().successor();
        }
        left = page.remaining();
        return page;
    }

    /** Whether the next page begins at this key and is of this revision. */
    public boolean isAt(Bytes key, long atRevision) {
        return revision == atRevision && from.equals(key);
    }

    /** The revision of all pages; 0 before the first one if the request named none. */
    public long revision() {
        return revision;
    }

    private RangePage request(int limit) {
        boolean afterStream = mode == Mode.PAGE && requested != null;
        int keys = afterStream ? Math.min(limit, SHORT_PAGE) : limit;
        RangePage page = client.range(range.from(from).at(revision).limit(keys));
        if (requested != null && requested.clusterId() != page.clusterId()) {
            throw otherCluster(page.clusterId(), requested.clusterId());
        }
        if (revision == 0) {
            revision = page.currentRevision();
        }
        requested = page;
        mode = mode == Mode.PAGE ? Mode.STREAM : mode;
        return page;
    }

    static EtcdException otherCluster(long clusterId, long expected) {
        return new EtcdException(
                EtcdException.Kind.OTHER_CLUSTER,
                "a part of the range came from cluster %x, but the range is read from cluster %x"
                        .formatted(clusterId, expected),
                null);
    }

    private boolean hasChunk() {
        if (chunk.isEmpty() && mode == Mode.STREAM) {
            readChunk();
        }
        return !chunk.isEmpty();
    }

    private void readChunk() {
        RangeStream open = stream == null ? open() : stream;
        if (open == null) {
            mode = Mode.PAGES;
            return;
        }
        chunk = client.nextChunk(open);
        moreAfterChunk = open.hasMore();
        stream = open.isAtEnd() ? null : open;
        mode = open.isAtEnd() ? Mode.PAGE : Mode.STREAM;
    }

    private @Nullable RangeStream open() {
        try {
            return client.stream(range.from(from).at(revision).limit(0), header().clusterId());
        } catch (EtcdException refused) {
            LOG.debug("no stream of a range, reading it in pages: {}", refused.getMessage());
            return null;
        }
    }

    private RangePage ofChunk(int limit) {
        int size = Math.min(limit, chunk.size());
        List<KeyValue> keyValues = chunk.subList(0, size);
        chunk = chunk.subList(size, chunk.size());
        boolean more = !chunk.isEmpty() || moreAfterChunk;
        return new RangePage(
                keyValues,
                more,
                more ? Math.max(left, size + 1) : size,
                header().currentRevision(),
                header().clusterId());
    }

    private RangePage header() {
        return Objects.requireNonNull(requested);
    }

    /** Ends the stream, if one is open. Needed only for a reader that is not read to the end. */
    @Override
    public void close() {
        RangeStream open = stream;
        if (open != null) {
            open.close();
        }
    }
}
