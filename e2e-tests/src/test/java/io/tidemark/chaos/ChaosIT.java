package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.process.ClusterSize;
import io.tidemark.chaos.process.OtherRelease;
import io.tidemark.chaos.report.ChaosReport;
import io.tidemark.chaos.report.ReportText;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A small cluster of real processes keeps every promise under one fault of each kind, except those
 * that need root or a library for clocks. Its nodes begin with the peer version before the newest,
 * and one is upgraded. At the end a node is rebuilt from what the topic's cleaner left. How long
 * that took is printed, not asserted. {@code -Dtidemark.seed} repeats the choices of a run;
 * dev/chaos.sh is the long run.
 */
@LongTest
class ChaosIT {
    private static final long SEED = Long.getLong("tidemark.seed", System.nanoTime());

    /** A second: most of the CPU of these tests. */
    static final int WRITES = Integer.getInteger("tidemark.writes", 8);

    /** Of 12 s: every reader is beyond that, and so is the connector's last commit. */
    static final long KEPT_REVISIONS = 100;

    private static final List<FaultKind> FAULTS =
            FaultKind.parse(
                    List.of(
                            "kill-node",
                            "restart-empty",
                            "kill-connector",
                            "start-connector",
                            "pause-connector",
                            "kill-broker",
                            "kill-etcd",
                            "compact-etcd",
                            "compact-beyond",
                            "flip-sst",
                            "cut-node-broker",
                            "roll"));

    @TempDir private Path folder;

    @Test
    void everyPromiseHoldsUnderFaultsOfEveryGroup() throws Exception {
        ChaosOptions options =
                new ChaosOptions(
                        folder.resolve("run"),
                        Duration.ofHours(1),
                        1,
                        SEED,
                        new ObjectSpace(500, 10, 500),
                        KEPT_REVISIONS,
                        Duration.ofSeconds(90),
                        WRITES,
                        10,
                        50,
                        new ClusterSize(1, 2, 2, "256m", true, false, false, false),
                        FAULTS,
                        Optional.of(OtherRelease.ofPeerVersion(WireVersions.NEWEST - 1)),
                        false);
        ChaosReport report = new ChaosRun(options, System.out::println).run();
        System.out.println(ReportText.markdown(report));
        assertThat(report.violations()).isEmpty();
        assertThat(report.gone()).isZero();
        assertThat(report.faults()).extracting(FaultResult::kind).containsAll(FAULTS);
    }
}
