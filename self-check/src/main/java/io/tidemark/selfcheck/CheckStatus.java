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

/** The check's memory of each partition, which it reports. Thread-safe. */
final class CheckStatus {
    /** Bounds the pairs of partition and group that are counted; further ones count as one. */
    private static final int MAX_COUNTED = 1_000;

    private final boolean on;
    private final Map<Integer, RepairState> repairs = new TreeMap<>();
    private final Map<Integer, String> pending = new HashMap<>();
    private final Map<Integer, Long> rebuilds = new HashMap<>();
    private final Map<Slot, Long> mismatches = new HashMap<>();
    private final Set<Integer> here = new HashSet<>();
    private Duration interval;
    private Duration digestInterval = Duration.ZERO;
    private Duration cost = Duration.ZERO;
    private String trouble = "";

    CheckStatus(boolean on, Duration interval) {
        this.on = on;
        this.interval = interval;
    }

    /** Reports only these replicas from now on; keeps the repair state of the others. */
    synchronized void keepOnly(Collection<OpenReplica> copies) {
        here.clear();
        copies.forEach(replica -> here.add(replica.partition()));
        pending.keySet().retainAll(here);
    }

    private RepairState of(int partition) {
        return repairs.getOrDefault(partition, RepairState.BEGIN);
    }

    /** Counts a decision, once it is carried out. */
    synchronized void acted(int partition, RepairState.Decision step) {
        repairs.put(partition, step.next());
        pending.remove(partition);
        if (step.action() == RepairState.Action.REBUILD) {
            rebuilds.merge(partition, 1L, Long::sum);
        }
    }

    synchronized void proven(int partition, long revision, long nowMillis) {
        repairs.put(partition, of(partition).proven(revision, nowMillis));
        pending.remove(partition);
    }

    /** Decides what to do; {@link #acted} counts it. */
    synchronized RepairState.Decision differs(int partition, String what, long nowMillis) {
        return of(partition).differs(what, nowMillis);
    }

    /** As {@link #differs}, for data that cannot be read. */
    synchronized RepairState.Decision unreadable(int partition, String why, long nowMillis) {
        return of(partition).unreadable(why, nowMillis);
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

    synchronized void trouble(String why) {
        trouble = why;
    }

    synchronized void settled(Duration newInterval, Duration newCost) {
        interval = newInterval;
        cost = newCost;
    }

    /** The connector takes digests at this interval, so that nothing is proven more often. */
    synchronized void digestsEvery(Duration newInterval) {
        digestInterval = newInterval;
    }

    synchronized CheckReport report() {
        List<CheckReport.Partition> partitions =
                here.stream()
                        .map(partition -> {
                            RepairState repair = of(partition);
                            return new CheckReport.Partition(
                                    partition,
                                    repair.provenRevision(),
                                    repair.provenAtMillis(),
                                    repair.finding(),
                                    repair.topicSuspected(),
                                    rebuilds.getOrDefault(partition, 0L),
                                    pending.getOrDefault(partition, ""));
                        })
                        .toList();
        return new CheckReport(
                on,
                Math.max(interval.toMillis(), digestInterval.toMillis()),
                cost.toMillis(),
                trouble,
                partitions,
                mismatches);
    }
}
