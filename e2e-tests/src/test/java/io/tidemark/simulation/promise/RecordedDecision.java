package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.model.ModelState;
import java.util.List;

/**
 * What a node decided of one client's request, or of a part of its answer.
 *
 * @param what was sent or refused, for messages
 * @param allowed whether it was sent; otherwise it was refused with a 403
 * @param from the oldest state whose rules justify the decision
 * @param to the newest one: etcd's at the time
 */
public record RecordedDecision(
        String what,
        Identity who,
        List<Demand> demands,
        boolean allowed,
        ModelState from,
        ModelState to) {
    public RecordedDecision {
        demands = List.copyOf(demands);
    }

    @Override
    public String toString() {
        return "%s for %s, who asked for %s".formatted(what, who, demands);
    }
}
