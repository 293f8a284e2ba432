package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.HistoryEntry;
import io.tidemark.store.layout.KeyLayout;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * The keys that existed at a revision and changed after it; possibly some more that changed. When
 * few changes follow, the keys come from the history; when many do, from the versions in the range,
 * so that a page costs no more than its range, however old the revision is.
 */
final class ChangedKeys {
    private ChangedKeys() {}

    /**
     * @param maxHistory with more changes after the revision, the versions are scanned instead
     */
    static KeyStream after(RevisionReader reader, long revision, KeyRange range, int maxHistory) {
        if (reader.isNewest(revision)) {
            return new Listed(List.<Bytes>of().iterator());
        }
        TreeSet<Bytes> keys = new TreeSet<>();
        int left = maxHistory;
        try (Cursor cursor =
                reader.snapshot()
                        .scan(Family.HISTORY, KeyLayout.historyAfter(revision), Bytes.EMPTY)) {
            for (; cursor.isValid(); cursor.next()) {
                if (--left < 0) {
                    return new Versioned(reader, revision, range);
                }
                Bytes key = HistoryEntry.decode(cursor.value()).key();
                if (range.contains(key)) {
                    keys.add(key);
                }
            }
        }
        return new Listed(keys.iterator());
    }

    /** Keys collected from the history. */
    private static final class Listed extends KeyStream {
        private final Iterator<Bytes> keys;

        Listed(Iterator<Bytes> keys) {
            this.keys = keys;
            next();
        }

        @Override
        void next() {
            key = keys.hasNext() ? keys.next() : null;
        }
    }

    /** Keys with a version that ended after the revision. */
    private static final class Versioned extends KeyStream {
        /** Then the next key is taken as one that changed: the page's limits count it. */
        private static final int MOST_SKIPPED = 64;

        private final Cursor cursor;
        private final long revision;
        private final KeyRange range;

        Versioned(RevisionReader reader, long revision, KeyRange range) {
            this.revision = revision;
            this.range = range;
            this.cursor =
                    reader.snapshot()
                            .scan(
                                    Family.VERSIONS,
                                    KeyLayout.versionsFrom(range.fromInclusive()),
                                    Bytes.EMPTY);
            settle();
        }

        /** Moves to the next key with a version that ended late enough; stays if this is one. */
        private void settle() {
            key = null;
            for (int skipped = 0; cursor.isValid(); skipped++) {
                Bytes candidate = KeyLayout.keyOfVersion(cursor.key());
                if (range.endsBefore(candidate)) {
                    return;
                }
                if (KeyLayout.untilOfVersion(cursor.key()) > revision || skipped == MOST_SKIPPED) {
                    key = candidate;
                    return;
                }
                // To this key's versions that ended later; they precede the next key.
                cursor.seek(KeyLayout.version(candidate, revision + 1));
            }
        }

        @Override
        void next() {
            if (key != null) {
                cursor.seek(KeyLayout.versionsEnd(key));
                settle();
            }
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
