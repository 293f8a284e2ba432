package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How the self-check stands, at one moment.
 *
 * @param on whether copies are compared with etcd; otherwise only those are rebuilt that cannot be
 *     read
 * @param intervalMillis between two comparisons: what was configured, or more when that would cost
 *     too much
 * @param costMillis processor time that the last comparison of all copies took
 * @param trouble why there is nothing to compare with; empty when there is
 * @param partitions that are here, in order
 * @param mismatches found since the start, by partition and resource
 */
public record CheckReport(
        boolean on,
        long intervalMillis,
        long costMillis,
        String trouble,
        List<Partition> partitions,
        Map<DigestTable.Slot, Long> mismatches) {
    public static final CheckReport OFF = new CheckReport(false, 0, 0, "", List.of(), Map.of());

    public CheckReport {
        partitions =
                partitions.stream().sorted(Comparator.comparingInt(Partition::partition)).toList();
        mismatches = Map.copyOf(mismatches);
    }

    /**
     * One copy.
     *
     * @param provenRevision newest revision at which it was proven equal to etcd; 0 for none yet
     * @param provenAtMillis when that was
     * @param finding what was found wrong with it and not been disproved since, without any key;
     *     empty for nothing
     * @param topicSuspected whether a copy that was rebuilt from the topic differs as well
     * @param rebuilds since the start
     * @param pending why the last comparison came to nothing; empty when it did not
     */
    public record Partition(
            int partition,
            long provenRevision,
            long provenAtMillis,
            String finding,
            boolean topicSuspected,
            long rebuilds,
            String pending) {
        /** For people. */
        public String text(long nowMillis) {
            String proof =
                    provenRevision == 0
                            ? "not proven yet"
                            : "equal to etcd at revision %d, proven %.1f s ago"
                                    .formatted(
                                            provenRevision,
                                            Math.max(0, nowMillis - provenAtMillis) / 1000.0);
            String wrong = "";
            if (topicSuspected) {
                wrong =
                        "; THE TOPIC DIFFERS FROM ETCD, a rebuild does not help, see"
                                + " docs/self-check.md: "
                                + finding;
            } else if (!finding.isEmpty()) {
                wrong = "; differed: " + finding;
            }
            String rebuilt = rebuilds == 0 ? "" : "; rebuilt " + rebuilds + " times";
            return proof + wrong + rebuilt + (pending.isEmpty() ? "" : "; " + pending);
        }

        /** Whether there is nothing to worry about. */
        public boolean good() {
            return finding.isEmpty();
        }
    }
}
