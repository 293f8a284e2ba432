package io.tidemark.digest;

import io.tidemark.record.Bytes;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The digests of all keys at one revision, by partition and group.
 *
 * @param byGroup false when there were too many groups to separate: then all keys of a partition
 *     count as one unnamed group, see {@link #EVERYTHING}
 * @param digests of the non-empty groups
 */
public record DigestTable(boolean byGroup, Map<Slot, KeyDigest> digests) {
    /** The group of all keys of a partition, when groups are not separated. */
    public static final Bytes EVERYTHING = Bytes.EMPTY;

    /** Version of the hashes and of the grouping; to be raised when either changes. */
    public static final int FORMAT = 1;

    /** Most pairs of partition and group before groups are no longer separated. */
    public static final int MAX_SLOTS = 10_000;

    public DigestTable {
        digests = Collections.unmodifiableMap(new TreeMap<>(digests));
    }

    /** A group's keys in one partition. */
    public record Slot(int partition, Bytes group) implements Comparable<Slot> {
        @Override
        public int compareTo(Slot other) {
            int byPartition = Integer.compare(partition, other.partition);
            return byPartition != 0 ? byPartition : group.compareTo(other.group);
        }
    }

    /** The digests of one partition, by group. */
    public Map<Bytes, KeyDigest> of(int partition) {
        TreeMap<Bytes, KeyDigest> groups = new TreeMap<>();
        digests.forEach((slot, digest) -> {
            if (slot.partition() == partition) {
                groups.put(slot.group(), digest);
            }
        });
        return groups;
    }

    /** The same digests with one group per partition. */
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
