package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The state of the self-check.
 *
 * @param on whether replicas are compared with etcd; otherwise only corrupt ones are rebuilt
 * @param intervalMillis between two comparisons: the configured one, or a longer one to bound the
 *     cost, of this node or of the connector
 * @param costMillis processor time of the last comparison of all replicas
 * @param trouble why no digests are available; empty when they are
 * @param partitions on this node, in order
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
     * The result for one replica.
     *
     * @param provenRevision newest revision at which it was proven equal to etcd; 0 for none yet
     * @param provenAtMillis when that was
     * @param finding the difference that was found and not disproved since, without keys; empty for
     *     none
     * @param topicSuspected whether a replica that was rebuilt from the topic differs as well
     * @param rebuilds since the start
     * @param pending why the last comparison was inconclusive; empty when it was not
     */
    public record Partition(
            int partition,
            long provenRevision,
            long provenAtMillis,
            String finding,
            boolean topicSuspected,
            long rebuilds,
            String pending) {
        /** For {@code /readyz?verbose}. */
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

        /** Whether no difference is known. */
        public boolean good() {
            return finding.isEmpty();
        }
    }
}
