package io.tidemark.simulation.mutant;

import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.view.PartitionView;
import java.util.List;

/** Mutants of stores and of their views. */
final class StoreMutants {
    private StoreMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "lost delete on rebuild",
                        "a rebuilding store does not see deletes",
                        Promise.WINDOW) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return restoring && record.content().value() == null
                                ? List.of()
                                : List.of(record);
                    }
                },
                new Mutant(
                        "lost records", "a store misses every seventh change", Promise.CONVERGENT) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return record.offset() % 7 == 3 && !RecordFaults.isMark(record)
                                ? List.of()
                                : List.of(record);
                    }
                },
                new Mutant(
                        "stuck replica",
                        "the replicas of one node stop at some point",
                        Promise.CONVERGENT) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return node == 0 && record.offset() > 60 ? List.of() : List.of(record);
                    }
                },
                new Mutant(
                        "mixed epochs",
                        "a store continues the old history when another has begun",
                        Promise.FILTERED) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return RecordFaults.epoch(record) < 2
                                ? List.of(record)
                                : RecordFaults.isMark(record, "list_begin")
                                                || RecordFaults.isMark(record, "list_end")
                                        ? List.of()
                                        : List.of(RecordFaults.ofEpoch(record, 1));
                    }
                },
                new Mutant(
                        "ended epoch served",
                        "one node does not learn of a new history, and neither do its clients",
                        Promise.NO_TIME_TRAVEL) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
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
                },
                new Mutant(
                        "trimmed too much",
                        "trimming drops one superseded version more than it must",
                        Promise.SNAPSHOT) {
                    @Override
                    public KeyValueEngine engine(InMemoryEngine engine) {
                        return new TrimmingEngine(engine);
                    }
                },
                new Mutant(
                        "lost on a full disk",
                        "a store does not notice that its disk is full",
                        Promise.CONVERGENT) {
                    @Override
                    public boolean reportsFullDisk() {
                        return false;
                    }
                },
                new Mutant(
                        "floor too low",
                        "a replica reports a lower floor than it has, and serves below it",
                        Promise.RESUMABLE) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.CompactedStillServed(view, true);
                    }
                },
                new Mutant(
                        "410 not given",
                        "below its floor a replica silently continues at the floor",
                        Promise.RELIABLE) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.CompactedStillServed(view, false);
                    }
                },
                new Mutant(
                        "410 too early",
                        "a replica sometimes answers 410 for a revision that it has",
                        Promise.RESUMABLE) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.CompactedTooEarly(view);
                    }
                },
                new Mutant(
                        "half the window",
                        "a replica reports only the newer half of its history",
                        Promise.WINDOW) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.HalvedHistoryWindow(view);
                    }
                },
                new Mutant(
                        "page cut inside a revision",
                        "a page of changes ends inside a revision and claims to cover it",
                        Promise.ATOMIC) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.Changes(view, MutantViews::cutInsideARevision);
                    }
                },
                new Mutant(
                        "previous state missing",
                        "a change lacks the version that it replaced",
                        Promise.FILTERED) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.Changes(view, MutantViews::withoutPrevious);
                    }
                },
                new Mutant(
                        "staleness outlives its history",
                        "a replica takes a list for as fresh as the history before it",
                        Promise.HONEST) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.StalenessNotUpdated(view);
                    }
                },
                new Mutant(
                        "stale standby",
                        "replicas of all but one node show a slightly older state",
                        Promise.SNAPSHOT) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return node == 0 ? view : new MutantViews.StaleScan(view);
                    }
                });
    }
}
