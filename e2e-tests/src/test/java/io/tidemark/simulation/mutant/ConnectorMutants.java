package io.tidemark.simulation.mutant;

import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.promise.Promise;
import java.util.List;
import java.util.OptionalLong;

/** Mutants between etcd and the stores. */
final class ConnectorMutants {
    private ConnectorMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "watch resumed too late",
                        "a connector follows etcd from one revision too late",
                        Promise.CONVERGENT) {
                    @Override
                    public long watchFrom(long revision) {
                        return revision + 2;
                    }
                },
                new Mutant(
                        "watch begins above etcd",
                        "a connector follows etcd from above its newest revision, and never asks"
                                + " whether etcd is idle",
                        Promise.HONEST) {
                    @Override
                    public long watchFrom(long revision) {
                        return revision + 1;
                    }

                    @Override
                    public boolean answersFeed() {
                        return false;
                    }
                },
                new Mutant(
                        "uncommitted resume point",
                        "a connector resumes behind marks that were never committed",
                        Promise.CONVERGENT) {
                    @Override
                    public boolean resumesFromCommitted() {
                        return false;
                    }
                },
                new Mutant(
                        "mark before its changes",
                        "a batch's mark is written before its changes",
                        Promise.BOOKMARKABLE) {
                    @Override
                    public boolean writesMarkAfterChanges() {
                        return false;
                    }
                },
                new Mutant(
                        "commit before the mark",
                        "a connector commits changes before the mark that ends their revision",
                        Promise.ATOMIC) {
                    @Override
                    public boolean commitsBeforeMarks() {
                        return true;
                    }
                },
                new Mutant(
                        "batch written twice",
                        "a connector writes each batch twice, which only outside consumers notice",
                        Promise.UNIQUE) {
                    @Override
                    public int writesPerBatch() {
                        return 2;
                    }
                },
                new Mutant(
                        "ghosts stay",
                        "keys that a new list lacks are not deleted in the topic",
                        Promise.CONVERGENT) {
                    @Override
                    public boolean deletesStaleKeys() {
                        return false;
                    }
                },
                new Mutant(
                        "deletes lost in a gap",
                        "keys that were deleted in a gap are not deleted in the topic",
                        Promise.CONVERGENT) {
                    @Override
                    public boolean deletesKeysLostInGap() {
                        return false;
                    }
                },
                new Mutant(
                        "gap written as bridged",
                        "a connector that must end watches at a gap bridges it",
                        Promise.FILTERED) {
                    @Override
                    public Kind mark(Kind kind) {
                        return kind == Kind.GAP ? Kind.BRIDGE : kind;
                    }
                },
                new Mutant(
                        "bridge written as progress",
                        "a connector does not mark net changes as such",
                        Promise.SNAPSHOT) {
                    @Override
                    public Kind mark(Kind kind) {
                        return kind == Kind.BRIDGE ? Kind.PROGRESS : kind;
                    }
                },
                new Mutant(
                        "bridge given up",
                        "a connector that must bridge a gap ends the watches at it",
                        Promise.WINDOW) {
                    @Override
                    public Kind mark(Kind kind) {
                        return kind == Kind.BRIDGE ? Kind.GAP : kind;
                    }
                },
                new Mutant(
                        "zombie writes",
                        "the broker accepts the sends of a fenced connector",
                        Promise.CONVERGENT) {
                    @Override
                    public boolean fences() {
                        return false;
                    }
                },
                new Mutant(
                        "early watermark",
                        "a mark claims some revisions more than were written",
                        Promise.BOOKMARKABLE) {
                    @Override
                    public List<LogRecord> record(LogRecord record, int node, boolean restoring) {
                        return List.of(RecordFaults.withMarkAhead(record, 2));
                    }
                },
                new Mutant(
                        "stale barrier",
                        "a barrier returns a slightly older revision",
                        Promise.LINEARIZABLE) {
                    @Override
                    public OptionalLong barrier(OptionalLong revision, long newestKnown) {
                        return revision.isPresent()
                                ? OptionalLong.of(Math.max(1, revision.getAsLong() - 3))
                                : revision;
                    }
                },
                new Mutant(
                        "barrier without etcd",
                        "a barrier that cannot reach etcd returns the newest known revision",
                        Promise.HONEST) {
                    @Override
                    public OptionalLong barrier(OptionalLong revision, long newestKnown) {
                        return revision.isPresent() ? revision : OptionalLong.of(newestKnown);
                    }
                });
    }
}
