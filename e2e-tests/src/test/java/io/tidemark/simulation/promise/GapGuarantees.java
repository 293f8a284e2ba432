package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.ReconciledGaps.ReconciledGap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a watch is told of a bridged gap that is not pure, where it depends on the attempts that
 * were cut off how much of it is told. Every event is a fact of etcd's, or says that a key is gone
 * at a revision at which a connector looked; each continues what was told of its key before; and
 * whoever has come through holds what etcd holds. (In a pure one the net changes are exactly what
 * is expected, as all that happened is elsewhere.)
 */
final class GapGuarantees {
    private final RecordedWatch watch;
    private final EpochHistory truth;
    private final ReconciledGap stretch;
    private final long start;
    private final Map<Bytes, Item> view = new HashMap<>();
    private final Set<KeyAtRevision> got = new HashSet<>();

    private record KeyAtRevision(long revision, Bytes key) {}

    private GapGuarantees(
            RecordedWatch watch, EpochHistory truth, ReconciledGap stretch, long start) {
        this.watch = watch;
        this.truth = truth;
        this.stretch = stretch;
        this.start = start;
        truth.stateAt(watch.interest(), stretch.after())
                .forEach((key, version) -> view.put(key, Item.of(version)));
    }

    /** The first thing that is wrong with what a watch was told of such gaps. */
    static Optional<Violation> checkInexactGaps(RecordedWatch watch, EpochHistory truth) {
        if (watch.start().isEmpty()) {
            return Optional.empty();
        }
        long start = watch.start().getAsLong();
        return truth.inexactGaps().stream()
                .filter(stretch -> start < stretch.through())
                .flatMap(
                        stretch -> new GapGuarantees(watch, truth, stretch, start).check().stream())
                .findFirst();
    }

    private Optional<Violation> check() {
        long told = start;
        for (Received next : watch.received()) {
            Optional<Violation> wrong = Optional.empty();
            if (next instanceof Received.Event event) {
                told = Math.max(told, event.revision());
                wrong = stretch.covers(event.revision()) ? take(event) : Optional.empty();
            } else if (next instanceof Received.Bookmark(long revision, _)) {
                told = Math.max(told, revision);
                wrong = missing(Promise.BOOKMARKABLE, revision);
            }
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return missing(Promise.RELIABLE, told);
    }

    private boolean beganBeforeGap() {
        return start <= stretch.after();
    }

    private Optional<Violation> take(Received.Event event) {
        got.add(new KeyAtRevision(event.revision(), event.key()));
        if (!truth.isPermittedEvent(watch.interest(), stretch, event)) {
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

    /** What must have been told by now of what the gap led to. */
    private Optional<Violation> missing(Promise promise, long through) {
        for (Bytes key : truth.keysUnder(watch.interest().prefix())) {
            boolean owed =
                    truth.versionAt(key, stretch.through())
                            .map(last -> owes(last, through))
                            .orElseGet(() -> through >= stretch.through() && owesDelete(key));
            if (owed) {
                return broken(promise, "%d, but not what became of %s", through, key);
            }
        }
        if (!beganBeforeGap() || through < stretch.through()) {
            return Optional.empty();
        }
        Map<Bytes, Item> wanted = new HashMap<>();
        truth.stateAt(watch.interest(), stretch.through())
                .forEach((key, version) -> wanted.put(key, Item.of(version)));
        return wanted.equals(view)
                ? Optional.empty()
                : broken(promise, "%d, where %s is told, not %s", through, view, wanted);
    }

    /** Whether whatever was told of a key before, its last version had to be told since. */
    private boolean owes(Version last, long through) {
        long revision = last.revision();
        if (revision <= Math.max(start, stretch.after()) || revision > through) {
            return false;
        }
        boolean toldForSure =
                truth.versionsBetween(last.key(), stretch.after(), revision).stream()
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

    /** Whether a key that was there when the watch began, and always had been, went untold. */
    private boolean owesDelete(Bytes key) {
        List<Optional<Version>> before =
                truth.versionsBetween(key, stretch.after(), Math.max(start, stretch.after()) + 1);
        List<Optional<Version>> all =
                truth.versionsBetween(key, stretch.after(), stretch.through() + 1);
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
        String where = "%s, in the gap %s: ".formatted(watch, stretch);
        return Optional.of(new Violation(promise, where + detail.formatted(arguments)));
    }
}
