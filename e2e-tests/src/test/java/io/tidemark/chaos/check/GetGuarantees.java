package io.tidemark.chaos.check;

import io.tidemark.chaos.client.RecordedGet;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.promise.Violation;
import java.util.Optional;

/** The promises about the GET of one object, which names no revision but the object's own. */
public final class GetGuarantees {
    private GetGuarantees() {}

    /** What it shows is a true version of the object. */
    public static Optional<Violation> snapshot(RecordedGet get, EpochHistory truth) {
        Item item = get.item();
        if (item == null) {
            return Optional.empty();
        }
        Version version = truth.versionAt(get.key(), item.revision()).orElse(null);
        boolean same =
                version != null
                        && version.revision() == item.revision()
                        && version.payload().shown().equals(item.shown());
        return same
                ? Optional.empty()
                : Optional.of(
                        new Violation(
                                Promise.SNAPSHOT, get + ": there is no such version: " + version));
    }

    /** It is not older than what it must reflect. */
    public static Optional<Violation> fresh(RecordedGet get, EpochHistory truth) {
        Version expected = truth.versionAt(get.key(), get.atLeast()).orElse(null);
        Item item = get.item();
        boolean old =
                item == null
                        ? expected != null && !deletedAfter(get, truth)
                        : expected == null
                                ? item.revision() < get.atLeast()
                                : item.revision() < expected.revision();
        if (!old) {
            return Optional.empty();
        }
        Promise promise =
                get.ask() instanceof RequestedFreshness.Now
                        ? Promise.LINEARIZABLE
                        : Promise.NOT_OLDER_THAN;
        return Optional.of(
                new Violation(
                        promise, get + ": at " + get.atLeast() + " it was already " + expected));
    }

    /** Whether the object was deleted after the revision that the answer must reflect. */
    private static boolean deletedAfter(RecordedGet get, EpochHistory truth) {
        return truth.facts(get.atLeast(), truth.revision()).stream()
                .anyMatch(fact -> fact.current() == null && fact.key().equals(get.key()));
    }
}
