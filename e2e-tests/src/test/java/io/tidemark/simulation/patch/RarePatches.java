package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.read;
import static io.tidemark.simulation.patch.Edit.returns;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults that take a thousand seeds and more: for the nightly build. */
final class RarePatches {
    private static final String FOLD = "io.tidemark.store.fold.";

    private RarePatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        FOLD + "ChangeFold",
                        "freeIndex",
                        call("hasHistory").returns(0),
                        "the second attempt of a gap overwrites changes of the first",
                        Promise.WINDOW),
                new Patch(
                        FOLD + "TopicFold",
                        "isOld",
                        returns(0),
                        "no record counts as old",
                        Promise.WINDOW),
                new Patch(
                        FOLD + "TopicFold",
                        "isBelow",
                        returns(0),
                        "a missing change that arrives late is taken for a repetition",
                        Promise.SNAPSHOT),
                new Patch(
                        FOLD + "TopicFold",
                        "beginList",
                        read("epoch", 2, 2).returns(0),
                        "a list of an older epoch is taken",
                        Promise.NO_TIME_TRAVEL));
    }
}
