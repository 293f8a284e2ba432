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
public final class Witnesses {
    private static final int MOST = 16;

    private final Map<Bytes, Witness> newest = new HashMap<>();
    private long seenRevision;

    /** The changes stand in the order of the topic. */
    public void saw(Change change) {
        switch (change) {
            case Change.Put put -> add(Witness.of(put));
            case Change.Delete delete -> {
                saw(delete.revision());
                newest.remove(delete.key());
            }
            case Change.TideMark mark -> saw(mark.revision());
        }
    }

    public void add(Witness witness) {
        saw(witness.revision());
        newest.put(witness.key(), witness);
        if (newest.size() > 2 * MOST) {
            List<Witness> kept = newest(MOST);
            newest.clear();
            kept.forEach(each -> newest.put(each.key(), each));
        }
    }

    /** Some reader may have been shown this revision. */
    public void saw(long revision) {
        seenRevision = Math.max(seenRevision, revision);
    }

    public long seenRevision() {
        return seenRevision;
    }

    /**
     * Whether what ends with this mark may be committed. Of what was aborted only that behind the
     * last committed mark is looked at, when a connector begins: a mark below what some reader may
     * have been shown would hide that from the next one.
     */
    public boolean allowCommit(long markedRevision) {
        return markedRevision >= seenRevision;
    }

    /** The newest first. */
    public List<Witness> newest(int most) {
        List<Witness> sorted = new ArrayList<>(newest.values());
        sorted.sort(Comparator.comparingLong(Witness::revision).reversed());
        return sorted.subList(0, Math.min(most, sorted.size()));
    }
}
