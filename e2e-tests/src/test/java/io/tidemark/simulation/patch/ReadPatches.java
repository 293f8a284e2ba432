package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.creation;
import static io.tidemark.simulation.patch.Edit.read;
import static io.tidemark.simulation.patch.Edit.returns;
import static io.tidemark.simulation.patch.Edit.store;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of reads: freshness, shared barriers, the merge, lists in pages, replicas of peers. */
final class ReadPatches {
    private static final String READ = "io.tidemark.serving.read.";
    private static final String FRESHNESS = "io.tidemark.serving.freshness.";
    private static final String PEER = "io.tidemark.peer.";
    private static final String QUERY = "io.tidemark.query.";

    private ReadPatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        "io.tidemark.concurrent.Coalescer",
                        "join",
                        read("queued", 3, 3).reads("running"),
                        "a request shares the barrier that is already under way",
                        Promise.LINEARIZABLE),
                new Patch(
                        QUERY + "http.list.ListStart$Requested",
                        "of",
                        call("isEmpty", 2, 3).returns(0),
                        "a list of now is served at the newest known revision",
                        Promise.LINEARIZABLE),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "done",
                        call("watermark").plus(-3),
                        "a list is read three revisions below the watermark",
                        Promise.MONOTONIC),
                new Patch(
                        QUERY + "http.list.ListStart$Requested",
                        "of",
                        call("revision").returns(0),
                        "a list that names a revision is served at any",
                        Promise.MONOTONIC),
                new Patch(
                        QUERY + "http.list.ListStart$Requested",
                        "of",
                        call("revision").plus(-2),
                        "a list asks for two revisions less than its client",
                        Promise.NOT_OLDER_THAN),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "onceReady",
                        creation("Barrier", 1, 3).lastArgumentPlus(-2),
                        "a read waits for a lower revision",
                        Promise.NOT_OLDER_THAN),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "<init>",
                        call("toNanos").plus(-2_900_000_000L),
                        "a read waits a tenth of a second only",
                        Promise.NOT_OLDER_THAN),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "leftNanos",
                        read("deadline").plus(10_000_000_000L),
                        "a read waits ten seconds longer",
                        Promise.BOUNDED),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "poll",
                        call("leftNanos", 1, 2).returns(1),
                        "a read waits for its revision without a limit",
                        Promise.BOUNDED),
                new Patch(
                        FRESHNESS + "FreshnessWait",
                        "answered",
                        call("leftNanos").returns(1_000_000_000),
                        "a failed barrier is retried without a limit",
                        Promise.BOUNDED),
                new Patch(
                        READ + "ByteBudget$Share",
                        "fits",
                        returns(1),
                        "a list takes memory that is not free",
                        Promise.BOUNDED),
                new Patch(
                        QUERY + "http.list.ListPages",
                        "meta",
                        call("successor").returnsReceiver(),
                        "the next page begins with the last key of the one before",
                        Promise.SNAPSHOT),
                new Patch(
                        QUERY + "http.list.ListPages",
                        "token",
                        call("revision").plus(-1),
                        "the continue token names an older revision",
                        Promise.SNAPSHOT),
                new Patch(
                        QUERY + "http.list.ListWriter",
                        "writeScan",
                        call("isFull").returns(1),
                        "a list ends after its first object",
                        Promise.SNAPSHOT),
                new Patch(
                        QUERY + "group.GroupReader",
                        "pass",
                        call("copy").returns(1),
                        "objects that are not known compressed are left out",
                        Promise.SNAPSHOT),
                new Patch(
                        QUERY + "encode.ProtobufListEncoder",
                        "isFull",
                        returns(1),
                        "a list in protobuf ends before it holds all objects",
                        Promise.SNAPSHOT),
                new Patch(
                        PEER + "cluster.ReplicaStates",
                        "best",
                        call("max").calls("min"),
                        "a node reads the replica that lags the most",
                        Promise.CONVERGENT),
                new Patch(
                        PEER + "cluster.ReplicaStates",
                        "best",
                        call("epoch").plus(1_000),
                        "a replica of an older epoch counts as ready",
                        Promise.NO_TIME_TRAVEL),
                new Patch(
                        PEER + "cluster.ClusterPartitionView",
                        "refresh",
                        call("max").returnsArgument(1),
                        "a node forgets the epochs that it has seen",
                        Promise.NO_TIME_TRAVEL),
                new Patch(
                        PEER + "cluster.ReplicaStates",
                        "newestEpoch",
                        returns(0),
                        "a node does not look at the epochs of replicas",
                        Promise.NO_TIME_TRAVEL),
                new Patch(
                        "io.tidemark.view.PartitionState",
                        "hasNoChanges",
                        read("lastChangeRevision").plus(-1),
                        "a partition with one new change counts as unchanged",
                        Promise.RELIABLE),
                new Patch(
                        READ + "RevisionMerge",
                        "drain",
                        call("compare").returns(0),
                        "changes of several partitions are not put in order",
                        Promise.ORDERED),
                new Patch(
                        READ + "RevisionMerge",
                        "through",
                        call("compareTo").returns(0),
                        "the merge does not wait for the slowest partition",
                        Promise.RELIABLE),
                new Patch(
                        READ + "RevisionMerge",
                        "add",
                        store("through", 1, 1).dropped(),
                        "the merge asks for the same page again",
                        Promise.SOUND),
                new Patch(
                        "io.tidemark.view.request.ChangePosition",
                        "covers",
                        call("index").plus(1),
                        "the next change of a revision counts as read",
                        Promise.SOUND));
    }
}
