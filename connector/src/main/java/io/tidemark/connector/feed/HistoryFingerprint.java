package io.tidemark.connector.feed;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the mirrored history: a few of the newest puts whose keys have not changed since, the
 * newest delete, and the highest revision that any reader may have seen.
 */
public final class HistoryFingerprint {
    private static final int MOST = 16;

    private final Map<Bytes, PutFingerprint> newest = new HashMap<>();
    private Change.@Nullable Delete newestDelete;
    private long maxObservedRevision;

    /** Changes must come in the order of the topic. */
    public void observe(Change change) {
        switch (change) {
            case Change.Put put -> add(PutFingerprint.of(put));
            case Change.Delete delete -> {
                observe(delete.revision());
                newest.remove(delete.key());
                if (delete.index() < Change.GAP_INDEX
                        && (newestDelete == null || newestDelete.revision() <= delete.revision())) {
                    newestDelete = delete;
                }
            }
            case Change.TideMark mark -> {
                observe(mark.revision());
                if (mark.kind() == Change.TideMark.Kind.LIST_END) {
                    newestDelete = null;
                }
            }
        }
    }

    public void add(PutFingerprint put) {
        observe(put.revision());
        newest.put(put.key(), put);
        if (newestDelete != null && newestDelete.key().equals(put.key())) {
            newestDelete = null;
        }
        if (newest.size() > 2 * MOST) {
            List<PutFingerprint> kept = newest(MOST);
            newest.clear();
            kept.forEach(each -> newest.put(each.key(), each));
        }
    }

    /** Some reader may have seen this revision. */
    public void observe(long revision) {
        maxObservedRevision = Math.max(maxObservedRevision, revision);
    }

    public long maxObservedRevision() {
        return maxObservedRevision;
    }

    /**
     * Whether a transaction that ends with this mark may be committed. When a connector starts, it
     * looks only at aborted writes after the last committed mark: a mark below what some reader may
     * have seen would hide that from the next connector.
     */
    public boolean allowCommit(long markedRevision) {
        return markedRevision >= maxObservedRevision;
    }

    /**
     * The newest delete, unless a newer put exists of its key; empty when it is unknown. Deletes of
     * a list or a gap do not count: they have its revision, and happened before.
     */
    public Optional<Change.Delete> newestDelete() {
        return Optional.ofNullable(newestDelete);
    }

    /** Newest first. */
    public List<PutFingerprint> newest(int most) {
        List<PutFingerprint> sorted = new ArrayList<>(newest.values());
        sorted.sort(Comparator.comparingLong(PutFingerprint::revision).reversed());
        return sorted.subList(0, Math.min(most, sorted.size()));
    }
}
