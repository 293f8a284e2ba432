package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;

/**
 * The partitions of one simulated node: production's slots, which Kafka Streams fills in
 * production. It is in this package because those are package-private.
 */
public final class HostedPartitions implements PartitionDirectory {
    private final OpenPartitions open = new OpenPartitions();

    public HostedPartitions(int partitions) {
        open.setPartitions(partitions);
    }

    public void opened(int partition, PartitionStore store) {
        open.opened(partition, store, (_, _) -> false);
    }

    public void closing(int partition, PartitionStore store) {
        open.closing(partition, store);
    }

    @Override
    public int partitions() {
        return open.partitions();
    }

    @Override
    public PartitionView view(int partition) {
        return open.view(partition);
    }
}
