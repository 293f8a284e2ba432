package io.tidemark.simulation.probe;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.simulation.client.SimulatedClient;
import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.model.ModelRights;
import io.tidemark.simulation.model.ModelState;
import io.tidemark.simulation.node.NodeAccess;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.util.List;
import java.util.Optional;

/** The rules that a node follows decide as those in etcd at the revision that it claims. */
public final class RuleReads {
    private RuleReads() {}

    /** The first decision that differs from the model's. */
    public static Optional<Violation> contradiction(
            NodeAccess access,
            List<SimulatedClient> clients,
            EpochHistories epochs,
            ModelRights rights) {
        Standing standing = access.standing();
        long history = epochs.historyOf(standing.epoch());
        for (SimulatedClient client : clients) {
            Optional<Boolean> decided = decided(access, client);
            if (decided.isPresent()) {
                ModelState state = new ModelState(history, standing.through());
                boolean expected = rights.isAllowed(client.identity(), client.demands(), state);
                if (decided.get() != expected) {
                    return broken(
                            "the rules of %s say %s to %s of %s"
                                    .formatted(
                                            state,
                                            decided.get(),
                                            client.demands(),
                                            client.identity()));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Boolean> decided(NodeAccess access, SimulatedClient client) {
        try {
            return access.decides(client.identity(), client.demands());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a node knows the rules of its newest state, when nothing has changed for a while. */
    public static Optional<Violation> staleness(NodeAccess access, PartitionSetStatus newest) {
        if (access.problem().isPresent()) {
            return broken("no request can be judged: " + access.problem().get());
        }
        return access.standing().covers(newest.epoch(), newest.watermark())
                ? Optional.empty()
                : broken(
                        "a node at %d of epoch %d has rules of %s"
                                .formatted(newest.watermark(), newest.epoch(), access.standing()));
    }

    private static Optional<Violation> broken(String detail) {
        return Optional.of(new Violation(Promise.AUTHORIZED, detail));
    }
}
