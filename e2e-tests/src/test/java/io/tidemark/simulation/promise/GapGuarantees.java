package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.model.ReconciledGaps.ReconciledGap;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.model.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks what a watch gets of a bridged gap that is not exact, where interrupted attempts determine
 * how much of it arrives. Every event is a fact of etcd's, or says that a key is deleted at a
 * revision at which a connector looked. Each event continues the one before of its key. A watcher
 * that has passed the gap holds what etcd holds. (In an exact gap the net changes are exactly what
 * is expected, and the other checks cover it.)
 */
final class GapGuarantees {
    private final RecordedWatch watch;
    private final EpochHistory truth;
    private final ReconciledGap gap;
    private final long start;
    private final Map<Bytes, Item> view = new HashMap<>();
    private final Set<KeyAtRevision> got = new HashSet<>();

    private record KeyAtRevision(long revision, Bytes key) {}

    private GapGuarantees(RecordedWatch watch, EpochHistory truth, ReconciledGap gap, long start) {
        this.watch = watch;
        this.truth = truth;
        this.gap = gap;
        this.start = start;
        truth.stateAt(watch.interest(), gap.after())
                .forEach((key, version) -> view.put(key, watch.interest().item(version)));
    }

    /** The first error in what a watch got of such gaps. */
    static Optional<Violation> checkInexactGaps(RecordedWatch watch, EpochHistory truth) {
        if (watch.start().isEmpty()) {
            return Optional.empty();
        }
        long start = watch.start().getAsLong();
        return truth.inexactGaps().stream()
                .filter(gap -> start < gap.through())
                .flatMap(gap -> new GapGuarantees(watch, truth, gap, start).check().stream())
                .findFirst();
    }

    private Optional<Violation> check() {
        long received = start;
        for (Received next : watch.received()) {
            Optional<Violation> wrong = Optional.empty();
            if (next instanceof Received.Event event) {
                received = Math.max(received, event.revision());
                wrong = gap.covers(event.revision()) ? take(event) : Optional.empty();
            } else if (next instanceof Received.Bookmark(long revision, _)) {
                received = Math.max(received, revision);
                wrong = missing(Promise.BOOKMARKABLE, revision);
            }
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return missing(Promise.RELIABLE, received);
    }

    private boolean beganBeforeGap() {
        return start <= gap.after();
    }

    private Optional<Violation> take(Received.Event event) {
        got.add(new KeyAtRevision(event.revision(), event.key()));
        if (!truth.isPermittedEvent(watch.interest(), gap, event)) {
            return broken(Promise.FILTERED, "%s %s is invented", event, event.shown());
        }
        if (!beganBeforeGap()) {
            return Optional.empty();
        }
        Item shown = new Item(event.key(), event.revision(), event.shown());
        boolean deletes = event.type() == EventType.DELETED;
        Item held = deletes ? view.remove(event.key()) : view.put(event.key(), shown);
        boolean continues =
                switch (event.type()) {
                    case ADDED -> held == null;
                    case MODIFIED -> held != null;
                    case DELETED -> held != null && held.shown().equals(event.shown());
                };
        return continues
                ? Optional.empty()
                : broken(Promise.FILTERED, "%s %s after %s", event, event.shown(), held);
    }

    /** The results of the gap that must have arrived by now. */
    private Optional<Violation> missing(Promise promise, long through) {
        for (Bytes key : truth.keysUnder(watch.interest().prefix())) {
            boolean owed =
                    truth.versionAt(key, gap.through())
                            .map(last -> owes(last, through))
                            .orElseGet(() -> through >= gap.through() && owesDelete(key));
            if (owed) {
                return broken(promise, "%d, but not the last version of %s", through, key);
            }
        }
        if (!beganBeforeGap() || through < gap.through()) {
            return Optional.empty();
        }
        Map<Bytes, Item> expected = new HashMap<>();
        truth.stateAt(watch.interest(), gap.through())
                .forEach((key, version) -> expected.put(key, watch.interest().item(version)));
        return expected.equals(view)
                ? Optional.empty()
                : broken(promise, "%d, where %s was sent, not %s", through, view, expected);
    }

    /**
     * Whether a key's last version had to be sent since, regardless of what the watcher got of the
     * key before.
     */
    private boolean owes(Version last, long through) {
        long revision = last.revision();
        if (revision <= Math.max(start, gap.after()) || revision > through) {
            return false;
        }
        boolean toldForSure =
                truth.versionsBetween(last.key(), gap.after(), revision).stream()
                        .allMatch(previous ->
                                new RevisionChange(
                                                revision,
                                                0,
                                                last.key(),
                                                last,
                                                previous.orElse(null))
                                        .as(watch.interest(), truth.epoch())
                                        .isPresent());
        return toldForSure && !got.contains(new KeyAtRevision(revision, last.key()));
    }

    /** Whether a key that existed when the watch began, and always had, was never sent. */
    private boolean owesDelete(Bytes key) {
        List<Optional<Version>> before =
                truth.versionsBetween(key, gap.after(), Math.max(start, gap.after()) + 1);
        List<Optional<Version>> all = truth.versionsBetween(key, gap.after(), gap.through() + 1);
        boolean wentOnce = all.subList(0, all.size() - 1).stream().allMatch(Optional::isPresent);
        boolean shown =
                all.stream()
                        .flatMap(Optional::stream)
                        .allMatch(version -> watch.interest().matches(version));
        return before.stream().allMatch(Optional::isPresent)
                && wentOnce
                && shown
                && got.stream().noneMatch(place -> place.key().equals(key));
    }

    private Optional<Violation> broken(Promise promise, String detail, Object... arguments) {
        String where = "%s, in the gap %s: ".formatted(watch, gap);
        return Optional.of(new Violation(promise, where + detail.formatted(arguments)));
    }
}
