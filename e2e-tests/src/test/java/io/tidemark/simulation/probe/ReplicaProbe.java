package io.tidemark.simulation.probe;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.ModelFilter.Secrets;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.world.SecretMode;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a node's whole content, state and history, straight from its partition views: at the
 * revision that all of them have reached, from the highest of their floors.
 */
public final class ReplicaProbe {
    public static final ModelFilter EVERYTHING = new ModelFilter(Settings.PREFIX, false, Map.of());

    private static final int PAGE = 5;
    private static final int PAGE_BYTES = 2_000;

    private ReplicaProbe() {}

    /**
     * Empty while the node cannot answer.
     *
     * @param secrets in a world that leaves them out, their keys have no values
     * @param floorAllowed by the replica's epoch and revision
     */
    public static Optional<RecordedReplica> probe(
            String name,
            PartitionDirectory node,
            EpochHistories epochs,
            SecretMode secrets,
            long millisSinceLastFault,
            long floorAllowed) {
        long floor = 0;
        while (true) {
            try {
                return probe(
                        name, node, epochs, secrets, millisSinceLastFault, floorAllowed, floor);
            } catch (Raised e) {
                // What a node knows of a peer's floor is slightly stale.
                floor = e.floor;
            }
        }
    }

    private static Optional<RecordedReplica> probe(
            String name,
            PartitionDirectory node,
            EpochHistories epochs,
            SecretMode secrets,
            long millisSinceLastFault,
            long floorAllowed,
            long lowestFloor)
            throws Raised {
        long floor = lowestFloor;
        long watermark = Long.MAX_VALUE;
        long epoch = node.view(0).state().epoch();
        for (int p = 0; p < node.partitions(); p++) {
            PartitionState state = node.view(p).state();
            if (!state.ready() || state.epoch() != epoch) {
                return Optional.empty();
            }
            floor = Math.max(floor, state.floor());
            watermark = Math.min(watermark, state.watermark());
        }
        if (floor > watermark) {
            return Optional.empty();
        }
        long history = epochs.historyOf(epoch);
        List<Item> items = new ArrayList<>();
        List<ObjectChange> changes = new ArrayList<>();
        for (int p = 0; p < node.partitions(); p++) {
            scan(node.view(p), watermark, items);
            changes(node.view(p), floor, watermark, changes);
        }
        items.sort(Comparator.comparing(Item::key));
        changes.sort(
                Comparator.comparingLong(ObjectChange::revision)
                        .thenComparingInt(ObjectChange::index));
        List<Received.Event> events =
                changes.stream().map(change -> ViewResults.event(change, history)).toList();
        return Optional.of(
                new RecordedReplica(
                        name,
                        history,
                        epoch,
                        floor,
                        watermark,
                        millisSinceLastFault,
                        items,
                        events,
                        EVERYTHING.with(secrets.areMirrored() ? Secrets.SHOWN : Secrets.EMPTY),
                        floorAllowed));
    }

    private static void scan(PartitionView view, long atRevision, List<Item> into) throws Raised {
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            ScanPage page =
                    served(
                            view.read(
                                    new ScanRequest(
                                            Settings.PREFIX,
                                            next.get(),
                                            atRevision,
                                            Selection.ALL,
                                            PAGE,
                                            PAGE_BYTES)),
                            atRevision);
            page.objects().forEach(object -> into.add(ViewResults.item(object)));
            next = page.nextKey();
        }
    }

    private static void changes(
            PartitionView view, long afterRevision, long throughRevision, List<ObjectChange> into)
            throws Raised {
        ChangePosition cursor = ChangePosition.endOf(afterRevision);
        while (cursor.wholeRevision() < throughRevision) {
            ChangePage page =
                    served(
                            view.read(
                                    new ChangesRequest(
                                            Settings.PREFIX,
                                            cursor,
                                            throughRevision,
                                            PAGE,
                                            PAGE_BYTES,
                                            Projection.WHOLE)),
                            cursor.wholeRevision());
            into.addAll(page.changes());
            if (page.through().compareTo(cursor) <= 0) {
                throw new IllegalStateException(
                        "a page from %s through %s".formatted(cursor, page.through()));
            }
            cursor = page.through();
        }
    }

    /** Whether any of its replicas serves the state as of a revision. */
    public static boolean showsState(PartitionDirectory node, long revision) {
        ScanRequest request =
                new ScanRequest(
                        Settings.PREFIX, Bytes.EMPTY, revision, Selection.ALL, PAGE, PAGE_BYTES);
        for (int p = 0; p < node.partitions(); p++) {
            if (node.view(p).read(request) instanceof ReadOutcome.Served) {
                return true;
            }
        }
        return false;
    }

    /** A replica's floor is higher than it reported. */
    private static final class Raised extends Exception {
        private static final long serialVersionUID = 1L;
        private final long floor;

        Raised(long floor) {
            super("floor " + floor, null, false, false);
            this.floor = floor;
        }
    }

    private static <T> T served(ReadOutcome<T> outcome, long floor) throws Raised {
        if (outcome instanceof ReadOutcome.Expired<T>(long actual) && actual > floor) {
            throw new Raised(actual);
        }
        if (outcome instanceof ReadOutcome.Served<T>(T value)) {
            return value;
        }
        throw new IllegalStateException("not served although it should be: " + outcome);
    }
}
