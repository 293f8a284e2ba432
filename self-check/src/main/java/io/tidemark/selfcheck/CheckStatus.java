package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable.Slot;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the check remembers of each partition, and shows; safe for all threads. */
final class CheckStatus {
    /** Pairs of partition and group that are counted apart at most; further ones as one. */
    private static final int MAX_COUNTED = 1_000;

    private final boolean on;
    private final Map<Integer, RepairState> courses = new TreeMap<>();
    private final Map<Integer, String> pending = new HashMap<>();
    private final Map<Integer, Long> rebuilds = new HashMap<>();
    private final Map<Slot, Long> mismatches = new HashMap<>();
    private final Set<Integer> here = new HashSet<>();
    private Duration interval;
    private Duration cost = Duration.ZERO;
    private String trouble = "";

    CheckStatus(boolean on, Duration interval) {
        this.on = on;
        this.interval = interval;
    }

    /** Others are shown no more. What was rebuilt is remembered, should it come back. */
    synchronized void keepOnly(Collection<OpenReplica> copies) {
        here.clear();
        copies.forEach(copy -> here.add(copy.partition()));
        pending.keySet().retainAll(here);
    }

    private RepairState of(int partition) {
        return courses.getOrDefault(partition, RepairState.BEGIN);
    }

    private RepairState.Decision take(int partition, RepairState.Decision step) {
        courses.put(partition, step.next());
        pending.remove(partition);
        return step;
    }

    synchronized void proven(int partition, long revision, long nowMillis) {
        courses.put(partition, of(partition).proven(revision, nowMillis));
        pending.remove(partition);
    }

    synchronized RepairState.Decision differs(int partition, String what, long nowMillis) {
        return take(partition, of(partition).differs(what, nowMillis));
    }

    synchronized RepairState.Decision unreadable(int partition, String why, long nowMillis) {
        return take(partition, of(partition).unreadable(why, nowMillis));
    }

    synchronized void mismatched(int partition, Set<Bytes> groups) {
        for (Bytes group : groups) {
            Slot slot = new Slot(partition, Bytes.utf8(GroupLabel.of(group)));
            boolean room = mismatches.containsKey(slot) || mismatches.size() < MAX_COUNTED;
            mismatches.merge(room ? slot : new Slot(-1, Bytes.utf8("other")), 1L, Long::sum);
        }
    }

    synchronized void pending(int partition, String why) {
        pending.put(partition, why);
    }

    synchronized void rebuilding(int partition) {
        rebuilds.merge(partition, 1L, Long::sum);
    }

    synchronized void trouble(String why) {
        trouble = why;
    }

    synchronized void settled(Duration newInterval, Duration newCost) {
        interval = newInterval;
        cost = newCost;
    }

    synchronized CheckReport report() {
        List<CheckReport.Partition> partitions =
                here.stream()
                        .map(partition -> {
                            RepairState course = of(partition);
                            return new CheckReport.Partition(
                                    partition,
                                    course.provenRevision(),
                                    course.provenAtMillis(),
                                    course.finding(),
                                    course.topicSuspected(),
                                    rebuilds.getOrDefault(partition, 0L),
                                    pending.getOrDefault(partition, ""));
                        })
                        .toList();
        return new CheckReport(
                on, interval.toMillis(), cost.toMillis(), trouble, partitions, mismatches);
    }
}
