package io.tidemark.simulation;

import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.LogRecord;
import java.util.List;
import java.util.OptionalLong;

/** Mistakes between etcd and the stores. */
final class ConnectorMutants {
    private ConnectorMutants() {}

    private static Mutation marks(Kind right, Kind wrong) {
        return new Mutation() {
            @Override
            public Kind mark(Kind kind) {
                return kind == right ? wrong : kind;
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "watch resumed too late",
                        "a connector follows etcd from one revision too far on",
                        Promise.CONVERGENT,
                        new Mutation() {
                            @Override
                            public long watchFrom(long revision) {
                                return revision + 2;
                            }
                        }),
                new Mutant(
                        "watch begins above etcd",
                        "a connector follows etcd from behind its newest revision",
                        Promise.HONEST,
                        new Mutation() {
                            @Override
                            public long watchFrom(long revision) {
                                return revision + 1;
                            }
                        }),
                new Mutant(
                        "uncommitted resume point",
                        "a connector goes on behind marks that were never committed",
                        Promise.CONVERGENT,
                        new Mutation() {
                            @Override
                            public boolean resumesFromCommitted() {
                                return false;
                            }
                        }),
                new Mutant(
                        "mark before its changes",
                        "a batch's mark is written before what it covers",
                        Promise.BOOKMARKABLE,
                        new Mutation() {
                            @Override
                            public boolean writesMarkAfterChanges() {
                                return false;
                            }
                        }),
                new Mutant(
                        "ghosts stay",
                        "keys that a new list lacks are not deleted in the topic",
                        Promise.CONVERGENT,
                        new Mutation() {
                            @Override
                            public boolean deletesStaleKeys() {
                                return false;
                            }
                        }),
                new Mutant(
                        "deletes lost in a gap",
                        "keys that went in a gap are not deleted in the topic",
                        Promise.CONVERGENT,
                        new Mutation() {
                            @Override
                            public boolean deletesKeysLostInGap() {
                                return false;
                            }
                        }),
                new Mutant(
                        "gap told as if bridged",
                        "a connector that is to end watches at a gap bridges it",
                        Promise.FILTERED,
                        marks(Kind.GAP, Kind.BRIDGE)),
                new Mutant(
                        "bridge told as progress",
                        "a connector does not say that what it tells are net changes",
                        Promise.SNAPSHOT,
                        marks(Kind.BRIDGE, Kind.PROGRESS)),
                new Mutant(
                        "bridge given up",
                        "a connector that is to bridge a gap ends the watches at it",
                        Promise.WINDOW,
                        marks(Kind.BRIDGE, Kind.GAP)),
                new Mutant(
                        "zombie writes",
                        "the broker takes what a replaced connector sends",
                        Promise.CONVERGENT,
                        new Mutation() {
                            @Override
                            public boolean fences() {
                                return false;
                            }
                        }),
                new Mutant(
                        "early watermark",
                        "a mark claims some revisions more than were written",
                        Promise.BOOKMARKABLE,
                        new Mutation() {
                            @Override
                            public List<LogRecord> record(
                                    LogRecord record, int node, boolean restoring) {
                                return List.of(RecordFaults.withMarkAhead(record, 2));
                            }
                        }),
                new Mutant(
                        "stale barrier",
                        "a barrier answers a revision of a little earlier",
                        Promise.LINEARIZABLE,
                        new Mutation() {
                            @Override
                            public OptionalLong barrier(OptionalLong revision, long newestKnown) {
                                return revision.isPresent()
                                        ? OptionalLong.of(Math.max(1, revision.getAsLong() - 3))
                                        : revision;
                            }
                        }),
                new Mutant(
                        "barrier without etcd",
                        "a barrier that cannot ask etcd answers what it knows",
                        Promise.HONEST,
                        new Mutation() {
                            @Override
                            public OptionalLong barrier(OptionalLong revision, long newestKnown) {
                                return revision.isPresent()
                                        ? revision
                                        : OptionalLong.of(newestKnown);
                            }
                        }));
    }
}
