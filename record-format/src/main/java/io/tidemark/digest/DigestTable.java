package io.tidemark.digest;

import io.tidemark.record.Bytes;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The digests of all keys of one revision, by partition and group.
 *
 * @param byGroup false when there were too many groups to tell apart: all of a partition then
 *     counts as one group without a name, see {@link #EVERYTHING}
 * @param digests of the groups that hold anything
 */
public record DigestTable(boolean byGroup, Map<Slot, KeyDigest> digests) {
    /** The group of all keys of a partition, when they are not told apart. */
    public static final Bytes EVERYTHING = Bytes.EMPTY;

    /** Of the sums and the groups: when either is made in another way, this is another number. */
    public static final int FORMAT = 1;

    /** So many pairs of partition and group are told apart at most. */
    public static final int MAX_SLOTS = 10_000;

    public DigestTable {
        digests = Collections.unmodifiableMap(new TreeMap<>(digests));
    }

    /** A group's part in a partition. */
    public record Slot(int partition, Bytes group) implements Comparable<Slot> {
        @Override
        public int compareTo(Slot other) {
            int byPartition = Integer.compare(partition, other.partition);
            return byPartition != 0 ? byPartition : group.compareTo(other.group);
        }
    }

    /** What one partition holds, by group. */
    public Map<Bytes, KeyDigest> of(int partition) {
        TreeMap<Bytes, KeyDigest> groups = new TreeMap<>();
        digests.forEach((slot, digest) -> {
            if (slot.partition() == partition) {
                groups.put(slot.group(), digest);
            }
        });
        return groups;
    }

    /** The same without telling groups apart. */
    public DigestTable collapsed() {
        TreeMap<Slot, KeyDigest> totals = new TreeMap<>();
        digests.forEach((slot, digest) ->
                totals.merge(new Slot(slot.partition(), EVERYTHING), digest, KeyDigest::plus));
        return new DigestTable(false, totals);
    }

    public long keys() {
        return digests.values().stream().mapToLong(KeyDigest::keys).sum();
    }
}
