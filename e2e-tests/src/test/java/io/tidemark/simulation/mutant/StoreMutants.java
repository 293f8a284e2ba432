package io.tidemark.simulation.mutant;

import io.tidemark.simulation.cluster.Mutation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mutants of stores and of their views. */
final class StoreMutants {
    private StoreMutants() {}

    static List<Mutant> all() {
        return List.of(
                records(
                        "lost delete on rebuild",
                        "a rebuilding store does not see deletes",
                        Promise.WINDOW,
                        (record, node, restoring) ->
                                restoring && record.content().value() == null
                                        ? List.of()
                                        : List.of(record)),
                records(
                        "lost records",
                        "a store misses every seventh change",
                        Promise.CONVERGENT,
                        (record, node, restoring) ->
                                record.offset() % 7 == 3 && !RecordFaults.isMark(record)
                                        ? List.of()
                                        : List.of(record)),
                records(
                        "stuck replica",
                        "the replicas of one node stop at some point",
                        Promise.CONVERGENT,
                        (record, node, restoring) ->
                                node == 0 && record.offset() > 60 ? List.of() : List.of(record)),
                records(
                        "mixed epochs",
                        "a store continues the old history when another has begun",
                        Promise.FILTERED,
                        (record, node, restoring) ->
                                RecordFaults.epoch(record) < 2
                                        ? List.of(record)
                                        : RecordFaults.isMark(record, "list_begin")
                                                        || RecordFaults.isMark(record, "list_end")
                                                ? List.of()
                                                : List.of(RecordFaults.ofEpoch(record, 1))),
                new Mutant(
                        "ended epoch served",
                        "one node does not learn of a new history, and neither do its clients",
                        Promise.NO_TIME_TRAVEL,
                        new Mutation() {
                            @Override
                            public List<LogRecord> record(
                                    LogRecord record, int node, boolean restoring) {
                                return node == 0 && RecordFaults.epoch(record) > 1
                                        ? List.of()
                                        : List.of(record);
                            }

                            @Override
                            public boolean hasPeers() {
                                return false;
                            }

                            @Override
                            public boolean rejectsOlderEpochs() {
                                return false;
                            }
                        }),
                new Mutant(
                        "trimmed too much",
                        "trimming drops one superseded version more than it must",
                        Promise.SNAPSHOT,
                        new Mutation() {
                            @Override
                            public KeyValueEngine engine(InMemoryEngine engine) {
                                return new TrimmingEngine(engine);
                            }
                        }),
                views(
                        "floor too low",
                        "a replica reports a lower floor than it has, and serves below it",
                        Promise.RESUMABLE,
                        view -> new MutantViews.CompactedStillServed(view, true)),
                views(
                        "410 not given",
                        "below its floor a replica silently continues at the floor",
                        Promise.RELIABLE,
                        view -> new MutantViews.CompactedStillServed(view, false)),
                views(
                        "410 too early",
                        "a replica sometimes answers 410 for a revision that it has",
                        Promise.RESUMABLE,
                        MutantViews.CompactedTooEarly::new),
                views(
                        "half the window",
                        "a replica reports only the newer half of its history",
                        Promise.WINDOW,
                        MutantViews.HalvedHistoryWindow::new),
                views(
                        "page cut inside a revision",
                        "a page of changes ends inside a revision and claims to cover it",
                        Promise.ATOMIC,
                        view -> new MutantViews.Changes(view, MutantViews::cutInsideARevision)),
                views(
                        "previous state missing",
                        "a change lacks the version that it replaced",
                        Promise.FILTERED,
                        view -> new MutantViews.Changes(view, MutantViews::withoutPrevious)),
                views(
                        "staleness outlives its history",
                        "a replica takes a list for as fresh as the history before it",
                        Promise.HONEST,
                        MutantViews.StalenessNotUpdated::new),
                new Mutant(
                        "stale standby",
                        "replicas of all but one node show a slightly older state",
                        Promise.SNAPSHOT,
                        new Mutation() {
                            @Override
                            public PartitionView view(PartitionView view, int node) {
                                return node == 0 ? view : new MutantViews.StaleScan(view);
                            }
                        }));
    }

    /** Between the topic and a store. */
    @FunctionalInterface
    private interface RecordFault {
        List<LogRecord> record(LogRecord record, int node, boolean restoring);
    }

    private static Mutant records(
            String name, String does, Promise detectedBy, RecordFault mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return mistake.record(record, node, restoring);
                    }
                });
    }

    private static Mutant views(
            String name, String does, Promise detectedBy, UnaryOperator<PartitionView> mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return mistake.apply(view);
                    }
                });
    }
}
