package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdException;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole range with a {@link RangeReader}. etcd limits pages by keys, not bytes, so the scan
 * shrinks the page when values are large: in advance, by the mean size of the previous page, and
 * after a page was too large to receive. Not thread-safe.
 */
public final class RangeScan {
    private final RangeReader reader;
    private final int maxPageKeys;
    private final long pageBytes;

    private int pageKeys;
    private boolean done;

    /**
     * @param pageBytes target size of a page; exceeded only by a single larger value
     */
    RangeScan(RangeReader reader, int maxPageKeys, long pageBytes) {
        if (maxPageKeys < 1) {
            throw new IllegalArgumentException("page size of %d keys".formatted(maxPageKeys));
        }
        this.reader = reader;
        this.maxPageKeys = maxPageKeys;
        this.pageBytes = pageBytes;
        pageKeys = maxPageKeys;
    }

    /**
     * The next page, empty after the last one. Only the last page may have no keys.
     *
     * @throws EtcdException {@code COMPACTED} when the revision was compacted meanwhile
     */
    public Optional<RangePage> nextPage() {
        if (done) {
            return Optional.empty();
        }
        RangePage page = read();
        done = !page.more();
        if (!done) {
            pageKeys = fitting(page.keyValues());
        }
        return Optional.of(page);
    }

    /** The revision of all pages; 0 before the first one if the request named none. */
    public long revision() {
        return reader.revision();
    }

    private RangePage read() {
        while (true) {
            try {
                return reader.next(pageKeys);
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
