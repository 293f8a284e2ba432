package io.tidemark.simulation;

import io.tidemark.query.read.ClusterView;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.Tide;
import io.tidemark.query.read.Tides;
import io.tidemark.query.watch.SteppedWatches;
import io.tidemark.view.ChangePage;
import java.time.Duration;

/** A node's reading side, as its HTTP layer would use it. Lives as long as the node's process. */
final class NodeApi {
    private final Tides tides;
    private final ClusterView view;
    private final SteppedWatches watches;

    NodeApi(SimulatedNode node, Mutation mutation) {
        // Not started: who waits here looks again in virtual time, instead of being woken.
        this.tides = new Tides(node);
        this.view = new ClusterView(node, Duration.ZERO);
        this.watches =
                new SteppedWatches(
                        view,
                        tides,
                        page ->
                                new ChangePage(
                                        mutation.merged(page.changes()), page.throughRevision()));
    }

    Tide tide(PartitionSet partitions) {
        return tides.now(partitions);
    }

    ClusterView view() {
        return view;
    }

    SteppedWatches watches() {
        return watches;
    }

    void dispatch() {
        try {
            watches.step();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
