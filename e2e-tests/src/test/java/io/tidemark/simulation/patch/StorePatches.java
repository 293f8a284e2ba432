package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.number;
import static io.tidemark.simulation.patch.Edit.read;
import static io.tidemark.simulation.patch.Edit.returns;
import static io.tidemark.simulation.patch.Edit.store;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of the stores: their fold, window, layout and reads. */
final class StorePatches {
    private static final String STORE = "io.tidemark.store.";

    private StorePatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        STORE + "fold.HistoryWindow",
                        "expired",
                        read("windowMillis").plus(-3_000),
                        "the window is three seconds shorter",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.TopicFold",
                        "isOld",
                        read("trustedAgeMillis").plus(-3_000),
                        "records count as old three seconds too early",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.TopicFold",
                        "makesHistory",
                        returns(0),
                        "changes make no history",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.ChangeFold",
                        "delete",
                        call("addHistory").dropped(),
                        "a delete makes no history",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.TopicFold",
                        "reconcileGap",
                        call("isReadable", 2, 2).returns(0),
                        "no gap is bridged",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.ChangeFold",
                        "replace",
                        call("delete", 1, 3).dropped(),
                        "a deleted object stays",
                        Promise.CONVERGENT),
                new Patch(
                        STORE + "fold.ChangeFold",
                        "replace",
                        call("put", 3, 4).dropped(),
                        "the checksum of a changed object is not written",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "PartitionStore",
                        "recordsLost",
                        call("invalidate").dropped(),
                        "a store keeps its state although it lost records",
                        Promise.CONVERGENT),
                new Patch(
                        STORE + "PartitionStore",
                        "needsList",
                        returns(0),
                        "a store that lost records never asks for a list",
                        Promise.CONVERGENT),
                new Patch(
                        STORE + "fold.ProtobufFamily",
                        "remove",
                        call("delete", 1, 2).dropped(),
                        "the message of a deleted object stays",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "read.RevisionReader",
                        "resolve",
                        number(1).becomes(0),
                        "the version that ended at the revision is shown",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "read.ChangedKeys",
                        "after",
                        call("historyAfter").lastArgumentPlus(1),
                        "a key that changed right after the revision is not looked up",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "layout.IndexEntries",
                        "update",
                        call("put").dropped(),
                        "the index lacks keys",
                        Promise.SNAPSHOT),
                new Patch(
                        "io.tidemark.view.object.HashRange",
                        "buckets",
                        call("bucket", 2, 2).plus(-8),
                        "the last hashes of a shard are not looked up",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "fold.IndexRebuild",
                        "add",
                        call("replace").dropped(),
                        "a rebuilt index is empty",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "read.VersionScan",
                        "page",
                        call("version").lastArgumentPlus(3),
                        "the history of a key begins too late",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "read.KeyScan",
                        "take",
                        call("revisionIn").plus(1),
                        "the self-check reads revisions that are too high",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "layout.TimeSamples",
                        "at",
                        call("newestAt").plus(1),
                        "a time maps to the next revision",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "layout.FoldState",
                        "isInGap",
                        returns(0),
                        "a state inside a bridged gap is served",
                        Promise.SNAPSHOT),
                new Patch(
                        STORE + "fold.ChangeFold",
                        "addHistory",
                        call("put", 1, 2).dropped(),
                        "superseded versions are not kept",
                        Promise.FILTERED),
                new Patch(
                        STORE + "read.ChangeScan",
                        "add",
                        call("hasPrevious").returns(0),
                        "a change lacks the version that it replaced",
                        Promise.FILTERED),
                new Patch(
                        STORE + "fold.ChangeFold",
                        "put",
                        call("revision", 1, 4).returns(0),
                        "a repeated put is applied again",
                        Promise.FILTERED),
                new Patch(
                        STORE + "fold.HistoryWindow",
                        "trim",
                        store("floor", 1, 2).dropped(),
                        "trimming does not raise the floor",
                        Promise.RESUMABLE),
                new Patch(
                        STORE + "read.LocalPartitionView",
                        "refusal",
                        read("floor", 1, 2).returns(0),
                        "a watch below the floor is served",
                        Promise.RELIABLE),
                new Patch(
                        STORE + "read.LocalPartitionView",
                        "refusal",
                        read("floor", 1, 2).plus(1),
                        "410 at the floor itself",
                        Promise.SOUND),
                new Patch(
                        "io.tidemark.view.RecentChanges",
                        "read",
                        call("firstAfter").plus(1),
                        "the first change of a page in memory is left out",
                        Promise.RELIABLE),
                new Patch(
                        STORE + "fold.TopicFold",
                        "publishChanges",
                        call("restart").lastArgumentPlus(-5),
                        "changes in memory begin later than they claim",
                        Promise.WINDOW),
                new Patch(
                        STORE + "fold.TopicFold",
                        "applyMark",
                        call("max", 1, 2).returnsArgument(1),
                        "an older mark lowers the watermark",
                        Promise.MONOTONIC),
                new Patch(
                        STORE + "fold.TopicFold",
                        "applyMark",
                        call("max", 1, 2).plus(1),
                        "the watermark is one above the mark",
                        Promise.BOOKMARKABLE),
                new Patch(
                        STORE + "fold.MarkTime",
                        "asOf",
                        call("min").returnsArgument(1),
                        "a mark counts from the time when the broker got it",
                        Promise.HONEST));
    }
}
