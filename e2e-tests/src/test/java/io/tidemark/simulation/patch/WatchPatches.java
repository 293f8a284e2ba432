package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.number;
import static io.tidemark.simulation.patch.Edit.read;
import static io.tidemark.simulation.patch.Edit.returns;
import static io.tidemark.simulation.patch.Edit.store;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of watches: the dispatcher, the mailboxes, the cursor, the bookmarks. */
final class WatchPatches {
    private static final String WATCH = "io.tidemark.serving.watch.";
    private static final String RUN = "io.tidemark.query.watch.";

    private WatchPatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        WATCH + "WatchCursor",
                        "<init>",
                        call("endOf").lastArgumentPlus(-1),
                        "a watch resumes one revision too early",
                        Promise.ORDERED),
                new Patch(
                        WATCH + "WatchCursor",
                        "<init>",
                        call("endOf").lastArgumentPlus(1),
                        "a watch resumes one revision too late",
                        Promise.RESUMABLE),
                new Patch(
                        WATCH + "EventDemux",
                        "windowAfter",
                        call("reversed").returnsReceiver(),
                        "a watch that joins gets the newest event first",
                        Promise.ORDERED),
                new Patch(
                        WATCH + "WatchCursor",
                        "reached",
                        call("compareTo").returns(0),
                        "the cursor does not advance",
                        Promise.UNIQUE),
                new Patch(
                        WATCH + "WatchCursor",
                        "step",
                        call("reached").dropped(),
                        "the cursor does not advance over events",
                        Promise.UNIQUE),
                new Patch(
                        WATCH + "WatchMailbox",
                        "now",
                        call("remove").calls("element"),
                        "events stay in the mailbox",
                        Promise.UNIQUE),
                new Patch(
                        WATCH + "WatcherGroup",
                        "takePending",
                        call("dropPending").dropped(),
                        "delivered events stay pending",
                        Promise.BOOKMARKABLE),
                new Patch(
                        WATCH + "WatchFilter",
                        "transition",
                        call("matches", 1, 2).returns(0),
                        "an object that stops matching is not DELETED",
                        Promise.RELIABLE),
                new Patch(
                        WATCH + "WatcherBucket",
                        "concerned",
                        call("addAll", 2, 2).dropped(),
                        "watches that select the former value get no event",
                        Promise.RELIABLE),
                new Patch(
                        WATCH + "WatchMailbox",
                        "deliver",
                        call("overflow").dropped(),
                        "a batch that does not fit the mailbox is lost",
                        Promise.RELIABLE),
                new Patch(
                        WATCH + "EventDemux",
                        "join",
                        read("windowAfter").returns(0),
                        "a watch joins although the window has been trimmed",
                        Promise.RELIABLE),
                new Patch(
                        WATCH + "EventDemux",
                        "join",
                        call("windowAfter").lastArgumentPlus(1),
                        "a watch that joins skips a revision",
                        Promise.RESUMABLE),
                new Patch(
                        WATCH + "WatchCursor",
                        "mayEnd",
                        returns(1),
                        "a watch may end inside a revision",
                        Promise.ATOMIC),
                new Patch(
                        RUN + "WatchRun",
                        "take",
                        store("inside", 1, 2).writes(0),
                        "a watch that is inside a revision may send a bookmark",
                        Promise.ATOMIC),
                new Patch(
                        RUN + "BookmarkClock",
                        "take",
                        read("position").plus(1),
                        "a bookmark names the next revision",
                        Promise.BOOKMARKABLE),
                new Patch(
                        RUN + "WatchRun",
                        "take",
                        call("sendFinalBookmark", 2, 2).dropped(),
                        "a node that shuts down ends its watches without a bookmark",
                        Promise.BOOKMARKABLE),
                new Patch(
                        RUN + "BookmarkClock",
                        "due",
                        returns(0),
                        "no bookmark is ever due",
                        Promise.BOOKMARKABLE),
                new Patch(
                        RUN + "BookmarkClock",
                        "<clinit>",
                        number(2).becomes(0),
                        "the last bookmark is due when the watch ends",
                        Promise.BOOKMARKABLE),
                new Patch(
                        WATCH + "WatchCursor",
                        "joinOrRead",
                        call("wholeRevision").plus(1),
                        "a watch that catches up waits for two revisions",
                        Promise.BOOKMARKABLE),
                new Patch(
                        RUN + "LongPoll",
                        "wholeRevisions",
                        call("throughRevision", 2, 2).plus(1),
                        "a long poll continues one revision too late",
                        Promise.BOOKMARKABLE),
                new Patch(
                        RUN + "LongPoll",
                        "wholeRevisions",
                        call("isWhole", 2, 2).returns(1),
                        "a long poll answers with a part of a revision",
                        Promise.ATOMIC),
                new Patch(
                        RUN + "LongPoll",
                        "start",
                        call("revision").plus(-3),
                        "a long poll from now on begins earlier",
                        Promise.LINEARIZABLE),
                new Patch(
                        WATCH + "WatchCursor",
                        "fromMailbox",
                        call("endOf", 1, 2).lastArgumentPlus(1),
                        "an empty mailbox counts as one revision more",
                        Promise.BOOKMARKABLE),
                new Patch(
                        WATCH + "event.Transition",
                        "of",
                        read("CHANGED").reads("ENTERED"),
                        "a change of what matched before is ADDED again",
                        Promise.FILTERED),
                new Patch(
                        WATCH + "WatchFilter",
                        "matches",
                        call("matches").returns(1),
                        "the selectors match everything",
                        Promise.FILTERED),
                new Patch(
                        "io.tidemark.view.object.HashRange",
                        "anyContains",
                        returns(1),
                        "a shard holds all objects",
                        Promise.FILTERED));
    }
}
