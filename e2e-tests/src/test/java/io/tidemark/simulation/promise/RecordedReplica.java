package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Received;
import java.util.List;

/**
 * One replica of one partition, or of all of them, at a moment without writes.
 *
 * @param epoch number of etcd's history that it shows
 * @param mirrorEpoch the mirror's epoch; 0 for no certain one
 * @param millisSinceLastFault at least the time within which replicas must agree again
 * @param items its whole state at {@code watermark}
 * @param history all changes that it still has, after {@code floor} and through {@code watermark}
 * @param floorAllowed the highest floor that it may have: the revision of the newest list, or the
 *     beginning of the history window
 */
public record RecordedReplica(
        String name,
        long epoch,
        long mirrorEpoch,
        long floor,
        long watermark,
        long millisSinceLastFault,
        List<Item> items,
        List<Received.Event> history,
        ModelFilter interest,
        long floorAllowed) {
    public RecordedReplica {
        items = List.copyOf(items);
        history = List.copyOf(history);
    }

    public RecordedReplica(
            String name,
            long epoch,
            long floor,
            long watermark,
            long millisSinceLastFault,
            List<Item> items,
            List<Received.Event> history,
            ModelFilter interest,
            long floorAllowed) {
        this(
                name,
                epoch,
                0,
                floor,
                watermark,
                millisSinceLastFault,
                items,
                history,
                interest,
                floorAllowed);
    }
}
