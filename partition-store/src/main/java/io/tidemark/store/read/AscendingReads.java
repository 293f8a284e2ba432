package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest versions of keys that ascend. Where an index names most keys of a range, a scan
 * of the range costs less than a search for each key: so after some keys this scans, for as long as
 * the next key is near.
 */
final class AscendingReads implements AutoCloseable {
    /** Few requests want more, and a scan that does not pay costs as much as some searches. */
    static final int SEARCHED_FIRST = 16;

    /** Steps of the scan from one key to the next that cost less than a search. */
    private static final int MAX_STEPS = 4;

    private final RevisionReader reader;
    private final Projection projection;
    private final Bytes end;
    private int searched;
    private boolean sparse;
    private @Nullable CursorKeys scan;

    /**
     * @param end of the keys, exclusive; {@link Bytes#EMPTY} for none
     */
    AscendingReads(RevisionReader reader, Projection projection, Bytes end) {
        this.reader = reader;
        this.projection = projection;
        this.end = end;
    }

    /** A key's newest version, published or not. */
    @Nullable StoredObject newest(Bytes key) {
        if (sparse || searched < SEARCHED_FIRST) {
            searched++;
            return reader.newest(key, projection);
        }
        CursorKeys at = scan;
        if (at == null) {
            at = reader.newestIn(new KeyRange(key, end), projection);
            scan = at;
        }
        for (int step = 0; isBefore(at, key); step++) {
            if (step == MAX_STEPS) {
                sparse = true;
                close();
                return reader.newest(key, projection);
            }
            at.next();
        }
        return Objects.equals(at.key, key) ? at.object() : null;
    }

    private static boolean isBefore(CursorKeys keys, Bytes key) {
        @Nullable Bytes at = keys.key;
        return at != null && at.compareTo(key) < 0;
    }

    @Override
    public void close() {
        if (scan != null) {
            scan.close();
            scan = null;
        }
    }
}
