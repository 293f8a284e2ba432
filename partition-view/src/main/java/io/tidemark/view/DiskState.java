package io.tidemark.view;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The disk that the replicas of this process lie on.
 *
 * @param folder where they lie
 * @param freeBytes what is left for this process; -1 while that is not known
 * @param totalBytes size of the file system
 * @param stalled partitions whose replica cannot be written until there is space; it is read as of
 *     its watermark
 * @param full why the disk counts as full; empty when it does not
 */
public record DiskState(
        String folder, long freeBytes, long totalBytes, List<Integer> stalled, String full) {
    /** Nothing is known, and nothing is wrong. */
    public static final DiskState UNKNOWN = new DiskState("", -1, -1, List.of(), "");

    private static final long MOST_RESERVE = 512L << 20;

    public DiskState {
        stalled = List.copyOf(new TreeSet<>((Collection<Integer>) stalled));
    }

    /** Below this much free space a warning is given: 5 % of the disk, at most 512 MiB. */
    public long reserveBytes() {
        return Math.min(MOST_RESERVE, totalBytes / 20);
    }

    public boolean isLow() {
        return freeBytes >= 0 && freeBytes < reserveBytes();
    }

    public boolean isFull() {
        return !full.isEmpty();
    }

    /** In words. */
    public String text() {
        String space = "%s: %d of %d bytes free".formatted(folder, freeBytes, totalBytes);
        if (!isFull()) {
            return isLow() ? space + ", less than the reserve of " + reserveBytes() : space;
        }
        return "state folder %s, no space left on device; %d replicas stand still at their watermark%s"
                .formatted(
                        space, stalled.size(), stalled.isEmpty() ? "" : ": partitions " + stalled);
    }
}
