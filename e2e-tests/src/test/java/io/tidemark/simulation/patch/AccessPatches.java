package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;
import static io.tidemark.simulation.patch.Edit.returns;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of the judgement of requests, and of the rules that a node follows. */
final class AccessPatches {
    private static final String QUERY = "io.tidemark.query.";
    private static final String FILTER = "io.tidemark.serving.read.SecretFilter";
    private static final String BUILDER = "io.tidemark.connector.value.ChangeBuilder";

    private AccessPatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        QUERY + "access.RulesWait",
                        "isCovered",
                        call("covers", 1, 2).returns(1),
                        "an old state is judged by rules as old as it",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "access.RulesWait",
                        "poll",
                        returns(1),
                        "a request neither waits for rules nor is judged again",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "http.access.RequestPermit",
                        "covers",
                        call("covers").returns(1),
                        "all rules count as new enough",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "http.access.RequestPermit",
                        "isCurrent",
                        returns(1),
                        "a change of rules is not noticed",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "access.MirroredRules",
                        "complete",
                        call("through", 2, 2).plus(1),
                        "rules claim to be of the next revision",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "access.MirroredRules",
                        "isOlder",
                        returns(0),
                        "an epoch that begins with an older state brings back its rules",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "follow.FollowedLane",
                        "apply",
                        call("delete").dropped(),
                        "a deleted role or binding stays in force",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "follow.FollowedLane",
                        "list",
                        call("retain").dropped(),
                        "what a new list lacks stays in force",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "follow.DirectoryFollower",
                        "prepare",
                        call("relist").dropped(),
                        "rules of the epoch before stay in force",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "watch.WatchPermit",
                        "isAllowed",
                        returns(1),
                        "a watch neither waits for rules nor for its next judgement",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "watch.WatchTurns",
                        "mayTake",
                        call("tells").returns(0),
                        "a watch sends events without a look at its right",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "watch.WatchJudgements",
                        "judgeAgain",
                        call("execute").dropped(),
                        "a watch is not judged again when the rules change",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "watch.WatchJudgements",
                        "abortIfStalled",
                        call("abort").dropped(),
                        "a watch that is not read stays open without its right",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "http.access.AccessControl",
                        "isOver",
                        returns(0),
                        "credentials never expire",
                        Promise.AUTHORIZED),
                new Patch(
                        QUERY + "watch.WatchJudgements",
                        "onExpiry",
                        call("judgeAgain").dropped(),
                        "a quiet watch outlives its credentials",
                        Promise.AUTHORIZED),
                new Patch(
                        FILTER,
                        "isSecret",
                        returns(0),
                        "a node shows the Secrets of the topic",
                        Promise.AUTHORIZED),
                new Patch(
                        FILTER,
                        "hides",
                        call("isWithheld").returns(0),
                        "a key whose Secret was withheld is listed",
                        Promise.SNAPSHOT),
                new Patch(
                        FILTER,
                        "shown",
                        call("hides", 4, 4).returns(0),
                        "a Secret counts as the former state of what replaces it",
                        Promise.FILTERED),
                new Patch(
                        "io.tidemark.store.seal.SealingEngine",
                        "sealed",
                        call("isPlainSecret").returns(0),
                        "Secrets are on disk in clear",
                        Promise.AUTHORIZED),
                new Patch(
                        BUILDER,
                        "sealed",
                        call("isPresent").returns(0),
                        "Secrets are in the topic in clear",
                        Promise.AUTHORIZED),
                new Patch(
                        BUILDER,
                        "isSecret",
                        returns(0),
                        "a Secret is known by its key alone",
                        Promise.AUTHORIZED));
    }
}
