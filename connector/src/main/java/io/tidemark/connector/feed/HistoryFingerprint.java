package io.tidemark.connector.feed;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is remembered of the mirrored history to know it again: the newest puts whose keys were not
 * changed since, a few, and the highest revision that any reader may have been shown.
 */
public final class HistoryFingerprint {
    private static final int MOST = 16;

    private final Map<Bytes, PutFingerprint> newest = new HashMap<>();
    private long maxObservedRevision;

    /** The changes stand in the order of the topic. */
    public void observe(Change change) {
        switch (change) {
            case Change.Put put -> add(PutFingerprint.of(put));
            case Change.Delete delete -> {
                observe(delete.revision());
                newest.remove(delete.key());
            }
            case Change.TideMark mark -> observe(mark.revision());
        }
    }

    public void add(PutFingerprint witness) {
        observe(witness.revision());
        newest.put(witness.key(), witness);
        if (newest.size() > 2 * MOST) {
            List<PutFingerprint> kept = newest(MOST);
            newest.clear();
            kept.forEach(each -> newest.put(each.key(), each));
        }
    }

    /** Some reader may have been shown this revision. */
    public void observe(long revision) {
        maxObservedRevision = Math.max(maxObservedRevision, revision);
    }

    public long maxObservedRevision() {
        return maxObservedRevision;
    }

    /**
     * Whether what ends with this mark may be committed. Of what was aborted only that behind the
     * last committed mark is looked at, when a connector begins: a mark below what some reader may
     * have been shown would hide that from the next one.
     */
    public boolean allowCommit(long markedRevision) {
        return markedRevision >= maxObservedRevision;
    }

    /** The newest first. */
    public List<PutFingerprint> newest(int most) {
        List<PutFingerprint> sorted = new ArrayList<>(newest.values());
        sorted.sort(Comparator.comparingLong(PutFingerprint::revision).reversed());
        return sorted.subList(0, Math.min(most, sorted.size()));
    }
}
