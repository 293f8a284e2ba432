package io.tidemark.streams.replica;

import io.tidemark.selfcheck.OpenReplicas;
import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The stores that are open in this process, active and standby alike. Streams' own store handles
 * are not used: they outlive the store, and a read through a closed one would crash the process.
 */
public final class OpenPartitions implements PartitionDirectory, OpenReplicas {
    private final ConcurrentHashMap<Integer, PartitionSlot> slots = new ConcurrentHashMap<>();

    /** By partition: why its replica takes no more records. */
    private final ConcurrentSkipListMap<Integer, String> stopped = new ConcurrentSkipListMap<>();

    private volatile int partitions;

    /** Rebuilds a store, unless another one has taken its place. */
    @FunctionalInterface
    public interface Rebuild {
        boolean of(PartitionStore store, String why);
    }

    /** Sets the topic's number of partitions; it is 0 before. */
    public void setPartitions(int count) {
        partitions = count;
    }

    /**
     * @param rebuild sets the store's data aside and reads it from the topic again
     */
    public void opened(int partition, PartitionStore store, Rebuild rebuild) {
        slot(partition).occupy(new StoreReplica(partition, store, rebuild));
    }

    /** Ends reads of this store; does nothing if another one has taken its place. */
    public void closing(int partition, PartitionStore store) {
        slot(partition).vacate(store);
    }

    /** Records that a replica takes no more records, and why. */
    void stopped(int partition, @Nullable String why) {
        stopped.put(partition, String.valueOf(why));
    }

    void resumed(int partition) {
        stopped.remove(partition);
    }

    /** The replicas that take no more records, in words; empty when there are none. */
    public String stopped() {
        Map.@Nullable Entry<Integer, String> first = stopped.firstEntry();
        return first == null
                ? ""
                : "replicas of partitions %s stopped: %s"
                        .formatted(stopped.keySet(), first.getValue());
    }

    /** By partition. */
    public Map<Integer, PartitionStore> stores() {
        Map<Integer, PartitionStore> open = new TreeMap<>();
        slots.forEach((partition, slot) -> {
            @Nullable PartitionStore store = slot.store();
            if (store != null) {
                open.put(partition, store);
            }
        });
        return open;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public List<OpenReplica> copies() {
        TreeMap<Integer, OpenReplica> open = new TreeMap<>();
        slots.forEach((partition, slot) -> {
            @Nullable StoreReplica replica = slot.copy();
            if (replica != null) {
                open.put(partition, replica);
            }
        });
        return List.copyOf(open.values());
    }

    @Override
    public PartitionView view(int partition) {
        return slot(partition);
    }

    private PartitionSlot slot(int partition) {
        return slots.computeIfAbsent(partition, PartitionSlot::new);
    }
}
