package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The truth: every revision of every epoch that etcd ever had. It forgets nothing. */
public final class ReferenceModel {
    private final Predicate<Bytes> mirrored;
    private final List<EpochHistory> epochs = new ArrayList<>();
    private final ModelRights rights = new ModelRights(this);

    /**
     * @param mirrored keys that Tidemark must serve; writes to others only count revisions
     */
    public ReferenceModel(Predicate<Bytes> mirrored) {
        this.mirrored = mirrored;
        epochs.add(new EpochHistory(1));
    }

    /** Who was allowed what. */
    public ModelRights rights() {
        return rights;
    }

    /** etcd's current history. */
    public EpochHistory current() {
        return epochs.getLast();
    }

    /** By its number, from 1. */
    public EpochHistory epoch(long number) {
        return epochs.get(Math.toIntExact(number - 1));
    }

    public boolean hasEpoch(long number) {
        return number >= 1 && number <= epochs.size();
    }

    /** One etcd transaction; null deletes. Returns its revision. */
    public long commit(Map<Bytes, @Nullable Payload> writes, long lease, long atMillis) {
        Map<Bytes, @Nullable Payload> shown = new LinkedHashMap<>(writes);
        shown.keySet().removeIf(mirrored.negate());
        return current().commit(shown, lease, atMillis);
    }

    /**
     * etcd is restored to {@code throughRevision}: another history begins there.
     *
     * @param bump revisions that it skips
     */
    public void restore(long throughRevision, long bump) {
        EpochHistory next = new EpochHistory(epochs.size() + 1L);
        next.copyFrom(current(), throughRevision, bump);
        epochs.add(next);
    }
}
