package io.tidemark.streams;

import io.tidemark.record.Bytes;
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
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanRequest;
import java.util.Map;
import java.util.TreeMap;

/** Reads all partitions of a node. */
final class AllPartitionsReader {
    private final PartitionDirectory directory;

    AllPartitionsReader(PartitionDirectory directory) {
        this.directory = directory;
    }

    boolean isAt(long revision) {
        if (directory.partitions() == 0) {
            return false;
        }
        for (int i = 0; i < directory.partitions(); i++) {
            PartitionState state = directory.view(i).state();
            if (!state.ready() || state.watermark() < revision) {
                return false;
            }
        }
        return true;
    }

    long highestFloor() {
        long floor = 0;
        for (int i = 0; i < directory.partitions(); i++) {
            floor = Math.max(floor, directory.view(i).state().floor());
        }
        return floor;
    }

    /** Each key's revision. */
    Map<String, Long> at(long revision) {
        Map<String, Long> found = new TreeMap<>();
        for (int i = 0; i < directory.partitions(); i++) {
            ScanRequest all =
                    new ScanRequest(
                            Bytes.EMPTY,
                            Bytes.EMPTY,
                            revision,
                            Selection.OBJECTS,
                            100_000,
                            1 << 30);
            served(directory.view(i).read(all))
                    .objects()
                    .forEach(object -> found.put(object.key().utf8(), object.revision()));
        }
        return found;
    }

    /** Each revision's "key current previous". */
    Map<Long, String> changesAfter(long revision) {
        Map<Long, String> found = new TreeMap<>();
        for (int i = 0; i < directory.partitions(); i++) {
            PartitionView view = directory.view(i);
            ChangePosition after = ChangePosition.endOf(revision);
            while (after.wholeRevision() < view.state().watermark()) {
                ChangePage page =
                        served(
                                view.read(
                                        new ChangesRequest(
                                                Bytes.EMPTY,
                                                after,
                                                Long.MAX_VALUE,
                                                100,
                                                1 << 20,
                                                Projection.WHOLE)));
                page.changes().forEach(change -> found.put(change.revision(), describe(change)));
                after = page.through();
            }
        }
        return found;
    }

    private static String describe(ObjectChange change) {
        return "%s %s<-%s"
                .formatted(
                        change.key(),
                        change.current() == null ? null : change.current().revision(),
                        change.previous() == null ? null : change.previous().revision());
    }

    private static <T> T served(ReadOutcome<T> outcome) {
        if (outcome instanceof Served<T>(T value)) {
            return value;
        }
        throw new AssertionError("not served: " + outcome);
    }
}
