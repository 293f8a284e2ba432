package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.creation;
import static io.tidemark.simulation.patch.Edit.read;
import static io.tidemark.simulation.patch.Edit.returns;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of the connector: its feed, its sink, its readers of the topic, its barriers. */
final class ConnectorPatches {
    private static final String CONNECTOR = "io.tidemark.connector.";

    private ConnectorPatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        CONNECTOR + "GapWriter",
                        "writeDeletes",
                        call("write", 1, 2).dropped(),
                        "the deletes of a gap are not written",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "FeedEffects",
                        "deleteStaleKeys",
                        call("write").dropped(),
                        "the deletes of stale keys are not written",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "sink.KafkaChangeSink",
                        "open",
                        read("COMMITTED").reads("UNCOMMITTED"),
                        "the sink resumes at marks that were never committed",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "sink.KafkaChangeSink",
                        "open",
                        call("fenceOthers").dropped(),
                        "the sink does not fence the former writer",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "sink.TransactionalWriter",
                        "commit",
                        call("commitTransaction").dropped(),
                        "a transaction is not committed",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "sink.TopicMarks",
                        "highestEpoch",
                        returns(0),
                        "the epochs of aborted lists are not known",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "feed.FeedEffect$StartWatch",
                        "after",
                        call("revision").plus(2),
                        "the watch on etcd resumes two revisions too late",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "feed.GapDiff",
                        "missing",
                        call("listed").dropped(),
                        "the list of a gap does not count: keys of the topic are deleted",
                        Promise.FILTERED),
                new Patch(
                        CONNECTOR + "feed.GapPolicy",
                        "<clinit>",
                        read("BRIDGE").reads("GAP"),
                        "a connector that must bridge a gap ends the watches at it",
                        Promise.WINDOW),
                new Patch(
                        CONNECTOR + "WatchBatcher",
                        "batch",
                        call("isWhole", 1, 2).returns(1),
                        "a mark follows the first part of a revision",
                        Promise.ATOMIC),
                new Patch(
                        CONNECTOR + "WatchBatcher",
                        "batch",
                        call("isWhole", 2, 2).returns(1),
                        "a mark follows a later part of a revision",
                        Promise.ATOMIC),
                new Patch(
                        CONNECTOR + "http.Barriers",
                        "read",
                        creation("Barrier", 1, 1).lastArgumentPlus(-1),
                        "a barrier answers one revision below the one that etcd is at",
                        Promise.LINEARIZABLE),
                new Patch(
                        CONNECTOR + "feed.FeedSchedule",
                        "idle",
                        returns(0),
                        "a feed that is idle writes no marks",
                        Promise.HONEST),
                new Patch(
                        CONNECTOR + "feed.FeedSchedule",
                        "isWatchDead",
                        returns(0),
                        "a watch that is silent for long is never given up",
                        Promise.HONEST),
                new Patch(
                        CONNECTOR + "lead.Election$Assignments",
                        "assigned",
                        call("lead").dropped(),
                        "an elected connector does not lead",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "lead.Election",
                        "awaitEtcd",
                        call("mayRejoin").returns(0),
                        "a connector that left without etcd never rejoins",
                        Promise.CONVERGENT),
                new Patch(
                        CONNECTOR + "FeedLoop",
                        "handle",
                        call("isFailure").returns(0),
                        "the effects after a failed one are carried out",
                        Promise.SNAPSHOT));
    }
}
