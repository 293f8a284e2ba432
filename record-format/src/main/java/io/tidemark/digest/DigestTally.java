package io.tidemark.digest;

import io.tidemark.record.Bytes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link DigestTable} from keys. Its memory is bounded: with too many groups it stops
 * separating them. Cheapest when keys come in order. Single-threaded.
 */
public final class DigestTally {
    private final DirectoryGroups groups;
    private final int maxSlots;
    private final Map<DigestTable.Slot, KeyDigest.Sum> sums = new HashMap<>();
    private boolean byGroup;
    private DigestTable.@Nullable Slot last;
    private KeyDigest.@Nullable Sum lastSum;
    private DigestTable before = new DigestTable(true, Map.of());

    /**
     * @param byGroup whether to separate groups at all
     */
    public DigestTally(DirectoryGroups groups, boolean byGroup, int maxSlots) {
        this.groups = groups;
        this.byGroup = byGroup;
        this.maxSlots = maxSlots;
    }

    public void add(int partition, KeyRevision key) {
        DigestTable.@Nullable Slot slot = last;
        KeyDigest.@Nullable Sum sum = lastSum;
        if (slot == null || sum == null || slot.partition() != partition || !isOf(key, slot)) {
            slot = new DigestTable.Slot(partition, group(key));
            sum = sums.computeIfAbsent(slot, unused -> new KeyDigest.Sum());
            last = slot;
            lastSum = sum;
            if (byGroup && sums.size() > maxSlots) {
                sum.add(key.key(), key.modRevision());
                collapse();
                return;
            }
        }
        sum.add(key.key(), key.modRevision());
    }

    private boolean isOf(KeyRevision key, DigestTable.Slot slot) {
        return !byGroup || groups.isOf(key.key(), slot.group());
    }

    private Bytes group(KeyRevision key) {
        return byGroup ? groups.of(key.key()) : DigestTable.EVERYTHING;
    }

    private void collapse() {
        before = snapshot().collapsed();
        byGroup = false;
        sums.clear();
        last = null;
        lastSum = null;
    }

    private DigestTable snapshot() {
        Map<DigestTable.Slot, KeyDigest> digests = new HashMap<>(before.digests());
        sums.forEach((slot, sum) -> digests.merge(slot, sum.digest(), KeyDigest::plus));
        return new DigestTable(byGroup, digests);
    }

    /** The digests of all keys added. */
    public DigestTable table() {
        return snapshot();
    }
}
