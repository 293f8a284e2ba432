package io.tidemark.view;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The disk with the replicas of this process.
 *
 * @param folder the state folder
 * @param freeBytes usable by this process; -1 while unknown
 * @param totalBytes size of the file system
 * @param stalled partitions whose replica cannot be written until there is space; it serves reads
 *     as of its watermark
 * @param full why the disk counts as full; empty when it does not
 */
public record DiskState(
        String folder, long freeBytes, long totalBytes, List<Integer> stalled, String full) {
    /** Not measured yet; neither low nor full. */
    public static final DiskState UNKNOWN = new DiskState("", -1, -1, List.of(), "");

    private static final long MOST_RESERVE = 512L << 20;

    public DiskState {
        stalled = List.copyOf(new TreeSet<>((Collection<Integer>) stalled));
    }

    /** Free space below this is low: 5 % of the disk, at most 512 MiB. */
    private long reserveBytes() {
        return Math.min(MOST_RESERVE, totalBytes / 20);
    }

    /** Whether less than the reserve is free; false while unknown. */
    public boolean isLow() {
        return freeBytes >= 0 && freeBytes < reserveBytes();
    }

    /** Whether replicas are stalled for lack of space. */
    public boolean isFull() {
        return !full.isEmpty();
    }

    /** For logs, {@code /readyz} and the node's progress. */
    public String text() {
        String space = "%s: %d of %d bytes free".formatted(folder, freeBytes, totalBytes);
        if (!isFull()) {
            return isLow() ? space + ", less than the reserve of " + reserveBytes() : space;
        }
        return "state folder %s, no space left on device; %d replicas stalled at their watermark%s"
                .formatted(
                        space, stalled.size(), stalled.isEmpty() ? "" : ": partitions " + stalled);
    }
}
