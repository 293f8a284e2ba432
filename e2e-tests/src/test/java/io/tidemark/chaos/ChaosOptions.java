package io.tidemark.chaos;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.process.ClusterSize;
import io.tidemark.chaos.process.OtherRelease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options of a run.
 *
 * @param folder for the processes' data and logs, and for the report; must not exist
 * @param atLeast how long faults go on
 * @param rounds of all faults after which it ends as well; 0 for no such end
 * @param keptRevisions that a compaction of etcd keeps
 * @param history how long nodes keep changes, and the topic all its records
 * @param writeRate writes a second
 * @param readRate requests a second
 * @param other the release that connectors and nodes begin with, for rolling upgrades
 */
public record ChaosOptions(
        Path folder,
        Duration atLeast,
        int rounds,
        long seed,
        ObjectSpace space,
        long keptRevisions,
        Duration history,
        int writeRate,
        int readRate,
        int watchers,
        ClusterSize size,
        List<FaultKind> faults,
        Optional<OtherRelease> other,
        boolean keep) {
    public ChaosOptions {
        faults = List.copyOf(faults);
        if (writeRate < 1 || readRate < 1 || watchers < 1) {
            throw new IllegalArgumentException(
                    "%d writes, %d reads a second, %d watchers: at least one of each"
                            .formatted(writeRate, readRate, watchers));
        }
        if (faults.contains(FaultKind.ROLL) && other.isEmpty() && faults.size() == 1) {
            throw new IllegalArgumentException(
                    FaultKind.ROLL.word() + " needs another release: see dev/rolling-upgrade.sh");
        }
        if (size.brokers() > 1 && faults.contains(FaultKind.FLIP_TOPIC)) {
            throw new IllegalArgumentException(
                    FaultKind.FLIP_TOPIC.word() + " needs one broker: others have it intact");
        }
    }
}
