package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.process.ClusterSize;
import io.tidemark.chaos.process.OtherRelease;
import io.tidemark.chaos.report.ChaosReport;
import io.tidemark.chaos.report.ReportText;
import io.tidemark.peer.wire.WireVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that speak the peer version before the newest are upgraded one by one, and downgraded in
 * the other order, under writes with recorded watches and reads: every promise holds. Three nodes
 * with two replicas of each partition: each node reads some partitions from others all the time.
 * dev/rolling-upgrade.sh does it with another release's jars, connectors included.
 */
class RollingUpgradeIT {
    private static final long SEED = Long.getLong("tidemark.seed", System.nanoTime());
    private static final int NODES = 3;

    @TempDir private Path folder;

    @Test
    @EnabledIfSystemProperty(
            named = "tidemark.nightly",
            matches = "true",
            disabledReason =
                    "upgrades and downgrades of three nodes: mvn verify -Pnightly, or"
                            + " -Dtidemark.nightly=true; ChaosIT upgrades one of two nodes")
    void everyPromiseHoldsWhileNodesOfTwoPeerVersionsRun() throws Exception {
        ChaosOptions options =
                new ChaosOptions(
                        folder.resolve("run"),
                        Duration.ofHours(1),
                        2 * NODES,
                        SEED,
                        new ObjectSpace(300, 10, 500),
                        ChaosIT.KEPT_REVISIONS,
                        Duration.ofMinutes(30),
                        ChaosIT.WRITES,
                        10,
                        30,
                        new ClusterSize(1, 1, NODES, "256m", false, false, false, false),
                        List.of(FaultKind.ROLL),
                        Optional.of(OtherRelease.ofPeerVersion(WireVersions.NEWEST - 1)),
                        false);
        ChaosReport report = new ChaosRun(options, System.out::println).run();
        System.out.println(ReportText.markdown(report));
        assertThat(report.violations()).isEmpty();
        assertThat(report.gone()).isZero();
        assertThat(report.faults()).hasSize(2 * NODES);
        for (int node = 1; node <= NODES; node++) {
            assertThat(log(node))
                    .contains("read with peer version " + (WireVersions.NEWEST - 1))
                    .contains("read with peer version " + WireVersions.NEWEST);
        }
    }

    private String log(int node) throws IOException {
        return Files.readString(folder.resolve("run").resolve("node-" + node + ".log"));
    }
}
