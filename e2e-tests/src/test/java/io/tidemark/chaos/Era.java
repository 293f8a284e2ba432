package io.tidemark.chaos;

import io.tidemark.chaos.check.Judge;
import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.client.Horizon;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.load.Acknowledged;
import io.tidemark.chaos.load.Truth;
import io.tidemark.chaos.load.Writer;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdOptions;
import java.util.SplittableRandom;

/**
 * What is written, recorded and judged in one epoch: what was told before another begins is nothing
 * to measure by any more.
 */
final class Era implements AutoCloseable {
    private final Acknowledged acknowledged = new Acknowledged();
    private final Horizon horizon;
    private final WatcherFleet fleet;
    private final EtcdClient writing;
    private final Truth truth;
    private final JudgeThread judging;
    private final Writer writer;
    private Availability availability = new Availability();

    /**
     * @param truth its owner's; judged by this era alone until it ends
     */
    Era(ChaosOptions options, String etcd, Truth truth, SplittableRandom random) {
        this.truth = truth;
        horizon = new Horizon(acknowledged, options.history());
        fleet = new WatcherFleet(options, acknowledged, horizon);
        writing = new EtcdClient(EtcdOptions.of(etcd));
        judging =
                new JudgeThread(
                        new Judge(
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

    /** Of its readers. */
    Availability availability() {
        return availability;
    }

    Acknowledged acknowledged() {
        return acknowledged;
    }

    Horizon horizon() {
        return horizon;
    }

    WatcherFleet fleet() {
        return fleet;
    }

    Truth truth() {
        return truth;
    }

    JudgeThread judging() {
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
