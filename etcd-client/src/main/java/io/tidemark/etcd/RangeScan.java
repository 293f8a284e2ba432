package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Reads a range page by page, all pages at one revision: that of the request, or of the first page.
 * etcd limits pages by keys, not bytes, so the scan shrinks the page when values are large: in
 * advance, by the mean size of the previous page, and after a page was too large to receive. Not
 * thread-safe.
 */
public final class RangeScan {
    private final EtcdClient client;
    private final RangeRequest range;
    private final int maxPageKeys;
    private final long pageBytes;

    private Bytes from;
    private long atRevision;
    private int pageKeys;
    private boolean done;

    /**
     * @param pageBytes target size of a page; exceeded only by a single larger value
     */
    RangeScan(EtcdClient client, RangeRequest range, int maxPageKeys, long pageBytes) {
        if (maxPageKeys < 1) {
            throw new IllegalArgumentException("page size of %d keys".formatted(maxPageKeys));
        }
        this.client = client;
        this.range = range;
        this.maxPageKeys = maxPageKeys;
        this.pageBytes = pageBytes;
        from = range.key();
        atRevision = range.revision();
        pageKeys = maxPageKeys;
    }

    /**
     * The next page, empty after the last one. A page has no keys only when the range has none.
     *
     * @throws EtcdException {@code COMPACTED} when the revision was compacted meanwhile
     */
    public Optional<RangePage> nextPage() {
        if (done) {
            return Optional.empty();
        }
        RangePage page = read();
        if (atRevision == 0) {
            atRevision = page.currentRevision();
        }
        List<KeyValue> keyValues = page.keyValues();
        done = !page.more();
        if (!done) {
            from = keyValues.getLast().key().successor();
            pageKeys = fitting(keyValues);
        }
        return Optional.of(page);
    }

    /** The revision of all pages; 0 before the first one if the request named none. */
    public long revision() {
        return atRevision;
    }

    private RangePage read() {
        while (true) {
            try {
                return client.range(range.from(from).at(atRevision).limit(pageKeys));
            } catch (EtcdException failed) {
                if (failed.kind() != EtcdException.Kind.TOO_LARGE || pageKeys == 1) {
                    throw failed;
                }
                pageKeys = Math.max(1, pageKeys / 4);
            }
        }
    }

    /** At most doubles the page, so that one page of small values does not lead to a huge one. */
    private int fitting(List<KeyValue> page) {
        long bytes = 1;
        for (KeyValue keyValue : page) {
            bytes += keyValue.key().length() + keyValue.value().length();
        }
        long byBytes = pageBytes * page.size() / bytes;
        return (int) Math.clamp(byBytes, 1, Math.min(maxPageKeys, 2L * pageKeys));
    }
}
