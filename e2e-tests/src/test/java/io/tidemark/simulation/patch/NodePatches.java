package io.tidemark.simulation.patch;

import static io.tidemark.simulation.patch.Edit.call;

import io.tidemark.simulation.promise.Promise;
import java.util.List;

/** Faults of the links between nodes, and of the self-check. */
final class NodePatches {
    private static final String LINK = "io.tidemark.peer.link.";
    private static final String CHECK = "io.tidemark.selfcheck.";

    private NodePatches() {}

    static List<Patch> all() {
        return List.of(
                new Patch(
                        LINK + "PeerLink",
                        "checkAlive",
                        call("drop").dropped(),
                        "a silent connection is kept",
                        Promise.CONVERGENT),
                new Patch(
                        LINK + "PeerLink",
                        "received",
                        call("updateState").dropped(),
                        "a node does not take the states of others",
                        Promise.CONVERGENT),
                new Patch(
                        LINK + "RemoteReplica",
                        "addPushed",
                        call("afterRevision").plus(-2),
                        "pushed changes begin later than they claim",
                        Promise.RELIABLE),
                new Patch(
                        CHECK + "Verdict",
                        "of",
                        call("add").dropped(),
                        "digests that differ count as equal",
                        Promise.CONVERGENT),
                new Patch(
                        CHECK + "KeyDiff",
                        "differences",
                        call("add", 1, 3).dropped(),
                        "a key that a replica lacks is not named",
                        Promise.CONVERGENT),
                new Patch(
                        CHECK + "SelfCheck",
                        "act",
                        call("rebuild").returns(0),
                        "a replica that differs is not rebuilt",
                        Promise.CONVERGENT),
                new Patch(
                        CHECK + "SelfCheck",
                        "fetch",
                        call("clear").dropped(),
                        "a replica is compared once only",
                        Promise.CONVERGENT),
                new Patch(
                        "io.tidemark.connector.check.EtcdDigests",
                        "step",
                        call("take").returns(0),
                        "a connector takes no digests",
                        Promise.CONVERGENT));
    }
}
