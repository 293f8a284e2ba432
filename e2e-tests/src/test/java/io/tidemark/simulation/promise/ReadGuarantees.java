package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import java.util.List;
import java.util.Optional;

/** The promises about one LIST or GET. */
public final class ReadGuarantees {
    /** How long a read waits for a revision before it answers 504. */
    public static final long WAIT_MILLIS = 3_000;

    /**
     * How much an answer's staleness may exceed the reported one. The reported staleness counts
     * from the broker's time of the mark; the way from etcd, with its delays and retries, is not in
     * it.
     */
    public static final long STALENESS_SLACK_MILLIS = 3_000;

    private ReadGuarantees() {}

    /** Without a resourceVersion it shows everything that etcd had acknowledged before. */
    public static Optional<Violation> linearizable(RecordedRead read) {
        return read.ask() instanceof RequestedFreshness.Now
                        && read.answer() instanceof Answer.Listed listed
                        && listed.revision() < read.acknowledgedAtBegin()
                ? broken(
                        Promise.LINEARIZABLE,
                        read,
                        "answered at %d, but %d was acknowledged",
                        listed.revision(),
                        read.acknowledgedAtBegin())
                : Optional.empty();
    }

    /** All pages together are the state at the one revision of the metadata. */
    public static Optional<Violation> snapshot(RecordedRead read, EpochHistory truth) {
        if (!(read.answer() instanceof Answer.Listed(long revision, List<Page> pages, _))) {
            return Optional.empty();
        }
        for (Page page : pages) {
            if (page.revision() != revision) {
                return broken(
                        Promise.SNAPSHOT, read, "a page at %d, not %d", page.revision(), revision);
            }
        }
        if (read.ask() instanceof RequestedFreshness.Exactly(long expected)
                && expected != revision) {
            return broken(Promise.SNAPSHOT, read, "answered at %d", revision);
        }
        if (truth.isHidden(revision)) {
            return broken(Promise.SNAPSHOT, read, "the state at %d is unknown", revision);
        }
        List<Item> got = pages.stream().flatMap(page -> page.items().stream()).toList();
        return sameState(got, truth, read.interest(), revision)
                .flatMap(difference -> broken(Promise.SNAPSHOT, read, "%s", difference));
    }

    /** The first difference between a state and the true one; empty when they are equal. */
    static Optional<String> sameState(
            List<Item> got, EpochHistory truth, ModelFilter interest, long revision) {
        if (revision > truth.revision()) {
            return Optional.of(
                    "etcd is at %d, not yet at %d".formatted(truth.revision(), revision));
        }
        List<Item> expected =
                truth.stateAt(interest, revision).values().stream().map(interest::item).toList();
        for (int i = 0; i < Math.max(got.size(), expected.size()); i++) {
            Object one = i < got.size() ? got.get(i) : "nothing";
            Object other = i < expected.size() ? expected.get(i) : "nothing";
            if (!one.equals(other)) {
                return Optional.of(
                        "at %d, index %d: %s, not %s".formatted(revision, i, one, other));
            }
        }
        return Optional.empty();
    }

    /** At or above the requested revision, or 504 once the wait is over. */
    public static Optional<Violation> notOlderThan(RecordedRead read) {
        if (read.ask() instanceof RequestedFreshness.AtLeast(long expected)
                && read.answer() instanceof Answer.Listed listed
                && listed.revision() < expected) {
            return broken(Promise.NOT_OLDER_THAN, read, "answered at %d", listed.revision());
        }
        long waited = read.endedAtMillis() - read.beganAtMillis();
        boolean forArrival = read.ask() instanceof RequestedFreshness.AtLeast;
        return forArrival && read.answer() instanceof Answer.TimedOut && waited < WAIT_MILLIS
                ? broken(Promise.NOT_OLDER_THAN, read, "504 after %d ms", waited)
                : Optional.empty();
    }

    /**
     * While the connector cannot reach etcd, a read of "now" is 504, and a read of any state is
     * answered with its staleness; 410 is only for revisions below the floor.
     */
    public static Optional<Violation> honest(RecordedRead read, EpochHistory truth) {
        if (read.answer() instanceof Answer.Gone(long floor)) {
            boolean excused =
                    read.ask() instanceof RequestedFreshness.Exactly(long expected)
                            && expected < floor;
            return excused
                    ? Optional.empty()
                    : broken(Promise.HONEST, read, "410 with the floor at %d", floor);
        }
        if (read.ask() instanceof RequestedFreshness.Any
                && read.answer() instanceof Answer.TimedOut) {
            return broken(Promise.HONEST, read, "504 although it accepts any revision");
        }
        if (!(read.answer() instanceof Answer.Listed listed)) {
            return Optional.empty();
        }
        if (read.ask() instanceof RequestedFreshness.Now && read.etcdCutThroughout()) {
            return broken(
                    Promise.HONEST, read, "answered \"now\" at %d without etcd", listed.revision());
        }
        long asOfMillis = read.endedAtMillis() - listed.stalenessMillis() - STALENESS_SLACK_MILLIS;
        long knownThrough = truth.revisionAt(asOfMillis);
        return listed.stalenessMillis() >= 0 && knownThrough > listed.revision()
                ? broken(
                        Promise.HONEST,
                        read,
                        "%d is older than the reported %d ms: then %d was committed",
                        listed.revision(),
                        listed.stalenessMillis(),
                        knownThrough)
                : Optional.empty();
    }

    /** No read waits longer than documented. */
    public static Optional<Violation> bounded(RecordedRead read, long slackMillis) {
        long waited = read.endedAtMillis() - read.beganAtMillis();
        return waited > WAIT_MILLIS + slackMillis
                ? broken(
                        Promise.BOUNDED,
                        read,
                        "it took %d ms from %d ms on",
                        waited,
                        read.beganAtMillis())
                : Optional.empty();
    }

    private static Optional<Violation> broken(
            Promise promise, RecordedRead read, String detail, Object... arguments) {
        return Optional.of(new Violation(promise, read + ": " + detail.formatted(arguments)));
    }
}
