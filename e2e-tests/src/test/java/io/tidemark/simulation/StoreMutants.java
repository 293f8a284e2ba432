package io.tidemark.simulation;

import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.store.InMemoryEngine;
import io.tidemark.store.KeyValueEngine;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mistakes of stores and of their views. */
final class StoreMutants {
    private StoreMutants() {}

    static List<Mutant> all() {
        return List.of(
                records(
                        "lost delete on rebuild",
                        "a store that is rebuilt does not see deletes",
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
                        "stuck copy",
                        "the copies of one node stand still at some point",
                        Promise.CONVERGENT,
                        (record, node, restoring) ->
                                node == 0 && record.offset() > 60 ? List.of() : List.of(record)),
                records(
                        "mixed epochs",
                        "a store goes on with the old history when another has begun",
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
                        "a copy says that it reaches further back than it does, and serves that",
                        Promise.RESUMABLE,
                        view -> new MutantViews.CompactedStillServed(view, true)),
                views(
                        "410 not given",
                        "below its floor a copy goes on at the floor without a word",
                        Promise.RELIABLE,
                        view -> new MutantViews.CompactedStillServed(view, false)),
                views(
                        "410 given too early",
                        "a copy says now and then that something is gone which is there",
                        Promise.RESUMABLE,
                        MutantViews.CompactedTooEarly::new),
                views(
                        "half the window",
                        "a copy admits to the newer half of its history",
                        Promise.WINDOW,
                        MutantViews.HalvedHistoryWindow::new),
                views(
                        "page cut inside a revision",
                        "a page of changes ends inside a revision and claims to be through it",
                        Promise.ATOMIC,
                        view -> new MutantViews.Changes(view, MutantViews::cutInsideARevision)),
                views(
                        "previous state forgotten",
                        "a change does not say what it replaced",
                        Promise.FILTERED,
                        view -> new MutantViews.Changes(view, MutantViews::withoutPrevious)),
                views(
                        "age outlives its history",
                        "a copy takes a list for as new as the history before it was",
                        Promise.HONEST,
                        MutantViews.StalenessNotUpdated::new),
                new Mutant(
                        "stale standby",
                        "copies of all but one node show the state of a little earlier",
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
