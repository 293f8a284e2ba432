package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.ModelFilter.Secrets;
import io.tidemark.simulation.model.ModelRights;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import java.util.Optional;

/** The promise about rights. */
public final class AccessGuarantees {
    private AccessGuarantees() {}

    /** A node that hides Secrets sends none, also if the topic holds them. */
    public static Optional<Violation> hidesSecrets(RecordedRead read) {
        boolean sends =
                read.answer() instanceof Answer.Listed listed
                        && listed.pages().stream()
                                .flatMap(page -> page.items().stream())
                                .anyMatch(item -> item.shown().contains(Payload.HIDDEN));
        return sends && hides(read.interest()) ? secretSent(read) : Optional.empty();
    }

    /** The same of a watch. */
    public static Optional<Violation> hidesSecrets(RecordedWatch watch) {
        boolean sends =
                watch.events().stream().anyMatch(event -> event.shown().contains(Payload.HIDDEN));
        return sends && hides(watch.interest()) ? secretSent(watch) : Optional.empty();
    }

    private static boolean hides(ModelFilter interest) {
        return interest.secrets() == Secrets.ABSENT;
    }

    private static Optional<Violation> secretSent(Observation of) {
        return Optional.of(new Violation(Promise.AUTHORIZED, of + ": a hidden Secret was sent"));
    }

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
