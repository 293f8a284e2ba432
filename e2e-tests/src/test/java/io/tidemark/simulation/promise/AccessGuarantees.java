package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.ModelRights;
import java.util.Optional;

/** The promise about rights. */
public final class AccessGuarantees {
    private AccessGuarantees() {}

    /**
     * What shows revision R obeys the rules as of R or later: so nothing that was written after a
     * revocation is sent. And the rules that a node knows deny what it refuses.
     */
    public static Optional<Violation> authorized(RecordedDecision decision, ModelRights rights) {
        boolean justified =
                rights.everWas(
                        decision.allowed(),
                        decision.who(),
                        decision.demands(),
                        decision.from(),
                        decision.to());
        return justified
                ? Optional.empty()
                : Optional.of(
                        new Violation(
                                Promise.AUTHORIZED,
                                "%s: no rules from %s to %s %s that"
                                        .formatted(
                                                decision,
                                                decision.from(),
                                                decision.to(),
                                                decision.allowed() ? "allow" : "deny")));
    }
}
