package io.tidemark.chaos;

import io.tidemark.chaos.check.HistoryChecker;
import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.EtcdOracle;
import io.tidemark.chaos.load.Writer;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What is written, recorded and checked in one epoch: results of an earlier epoch cannot be
 * compared with a later one.
 */
final class EpochRun implements AutoCloseable {
    /** A busy machine loads and connects in seconds. */
    private static final Duration CALL = Duration.ofSeconds(30);

    private final AcknowledgedWrites acknowledged = new AcknowledgedWrites();
    private final RetentionHorizon horizon;
    private final WatcherFleet fleet;
    private final EtcdClient writing;
    private final EtcdOracle truth;
    private final CheckerThread judging;
    private final Writer writer;
    private Availability availability = new Availability();

    /**
     * @param truth the oracle of its etcd history; only this run checks against it until it ends
     */
    EpochRun(ChaosOptions options, String etcd, EtcdOracle truth, SplittableRandom random) {
        this.truth = truth;
        horizon = new RetentionHorizon(acknowledged, options.history());
        fleet = new WatcherFleet(options, acknowledged, horizon);
        writing = new EtcdClient(EtcdOptions.of(etcd).withTimeouts(CALL, CALL));
        judging =
                new CheckerThread(
                        new HistoryChecker(
                                options.space(),
                                acknowledged,
                                truth.watch().revisions(),
                                truth.model()));
        writer =
                new Writer(
                        options.space(),
                        writing,
                        acknowledged,
                        random.split(),
                        options.writeRate());
    }

    /** Readers begin. */
    ReadLoad read(NodeTable nodes, ChaosOptions options, SplittableRandom random) {
        ReadLoad reads =
                new ReadLoad(
                        options.space(),
                        nodes,
                        acknowledged,
                        horizon,
                        judging.judge(),
                        random,
                        options.readRate());
        availability = reads.availability();
        return reads;
    }

    /** Counts of its readers. */
    Availability availability() {
        return availability;
    }

    AcknowledgedWrites acknowledged() {
        return acknowledged;
    }

    RetentionHorizon horizon() {
        return horizon;
    }

    WatcherFleet fleet() {
        return fleet;
    }

    EtcdOracle truth() {
        return truth;
    }

    CheckerThread judging() {
        return judging;
    }

    Writer writer() {
        return writer;
    }

    @Override
    public void close() throws InterruptedException {
        fleet.close();
        writer.close();
        judging.close();
        writing.close();
    }
}
