package io.tidemark.simulation.probe;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks that a replica's lists by selectors that no client has, such as two indexed requirements
 * at once, hold exactly those objects of its whole list that match.
 */
public final class SelectedReads {
    private static final int PAGE = 3;
    private static final int PAGE_BYTES = 100_000;

    private static final Requirement WEB_OR_DB = label("app", "web", "db");
    private static final Requirement WEB_OR_JOB = label("app", "web", "job");
    private static final Requirement NO_SUCH_FIELD =
            new Requirement(Source.FIELD, ".none", Operator.IN, Set.of(""));

    private static final List<Selection> SELECTIONS =
            List.of(
                    new Selection(true, List.of(WEB_OR_DB, WEB_OR_JOB)),
                    new Selection(true, List.of(label("app", "none"), WEB_OR_JOB)),
                    new Selection(true, List.of(WEB_OR_DB, NO_SUCH_FIELD)));

    private SelectedReads() {}

    private static Requirement label(String name, String... values) {
        return new Requirement(Source.LABEL, name, Operator.IN, Set.of(values));
    }

    /** The first contradiction between lists of a store; empty also when it is not readable. */
    public static Optional<Violation> contradiction(PartitionStore store) {
        PartitionState state = store.state();
        if (!state.ready()) {
            return Optional.empty();
        }
        long past = (state.floor() + state.watermark()) / 2;
        return contradiction(store, state.watermark(), Projection.WHOLE)
                .or(() -> contradiction(store, past, Projection.METADATA));
    }

    private static Optional<Violation> contradiction(
            PartitionStore store, long revision, Projection projection) {
        Optional<Map<Bytes, StoredObject>> all =
                scan(store, revision, Selection.OBJECTS, Projection.WHOLE);
        if (all.isEmpty()) {
            return Optional.empty();
        }
        for (Selection selection : SELECTIONS) {
            Map<Bytes, StoredObject> expected = new TreeMap<>(all.get());
            expected.values().removeIf(object -> !selection.matches(object));
            Set<Bytes> found = scan(store, revision, selection, projection).orElseThrow().keySet();
            if (!found.equals(expected.keySet())) {
                String what =
                        "partition %d at %d: %s shows %s, of the whole list %s match"
                                .formatted(
                                        store.view().partition(),
                                        revision,
                                        selection,
                                        found,
                                        expected.keySet());
                return Optional.of(new Violation(Promise.FILTERED, what));
            }
        }
        return Optional.empty();
    }

    /** Empty when the replica does not have that revision. */
    private static Optional<Map<Bytes, StoredObject>> scan(
            PartitionStore store, long revision, Selection selection, Projection projection) {
        Map<Bytes, StoredObject> found = new TreeMap<>();
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            ScanRequest request =
                    new ScanRequest(
                            Bytes.EMPTY,
                            next.get(),
                            revision,
                            selection,
                            PAGE,
                            PAGE_BYTES,
                            projection);
            if (!(store.view().read(request)
                    instanceof ReadOutcome.Served<ScanPage>(ScanPage page))) {
                return Optional.empty();
            }
            page.objects().forEach(object -> found.put(object.key(), object));
            next = page.nextKey();
        }
        return Optional.of(found);
    }
}
