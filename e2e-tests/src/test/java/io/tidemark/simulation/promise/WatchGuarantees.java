package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Received;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The promises about one watch. Each method is one promise; an empty answer means that it is kept.
 *
 * <p>The simulation runs a small cluster under faults, with a simulated etcd, clock and network,
 * from one random seed. It records what each client sends and receives: {@code watch} is one watch
 * with its filter. {@code truth} is a reference model of one epoch: it keeps every revision of the
 * simulated etcd in plain maps, and computes the events that a filter must yield between two
 * revisions, the first exclusive. Where etcd compacted revisions before the connector read them (a
 * gap), the model expects the net changes only, and no certain events in an inexact gap.
 */
public final class WatchGuarantees {
    private WatchGuarantees() {}

    /** Events never go back in revision, nor below the watch's start. */
    public static Optional<Violation> ordered(RecordedWatch watch) {
        long last = watch.start().orElse(0);
        boolean first = true;
        for (Received.Event event : watch.events()) {
            if (event.revision() < last || (first && event.revision() == last)) {
                return broken(Promise.ORDERED, watch, "%s comes after %d", event, last);
            }
            last = event.revision();
            first = false;
        }
        return Optional.empty();
    }

    /** A watch from now on begins no earlier than what etcd had acknowledged. */
    public static Optional<Violation> linearizable(RecordedWatch watch) {
        long after = watch.afterRevision().orElse(Long.MAX_VALUE);
        return after < watch.acknowledgedAtBegin()
                ? broken(
                        Promise.LINEARIZABLE,
                        watch,
                        "it begins after %d, but %d was acknowledged",
                        after,
                        watch.acknowledgedAtBegin())
                : Optional.empty();
    }

    /** The bookmarks that it asked for come. */
    public static Optional<Violation> bookmarked(RecordedWatch watch) {
        return watch.overdueBookmark()
                .flatMap(why -> broken(Promise.BOOKMARKABLE, watch, "%s", why));
    }

    /** The initial objects come first, and one bookmark ends them before anything else. */
    public static Optional<Violation> initialFirst(RecordedWatch watch) {
        boolean open = watch.afterRevision().isEmpty();
        for (Received next : watch.received()) {
            boolean ends = next instanceof Received.Bookmark(_, boolean initial) && initial;
            boolean over = next instanceof Received.Expired || next instanceof Received.Ended;
            boolean ofInitial = ends || next instanceof Received.Initial;
            if (!over && ofInitial != open) {
                return broken(Promise.BOOKMARKABLE, watch, "%s, initial events: %s", next, open);
            }
            open &= !ends;
        }
        return Optional.empty();
    }

    /** No event comes twice. */
    public static Optional<Violation> unique(RecordedWatch watch) {
        record Identity(long revision, Bytes key) {}
        Set<Identity> seen = new HashSet<>();
        for (Received.Event event : watch.events()) {
            if (!seen.add(new Identity(event.revision(), event.key()))) {
                return broken(Promise.UNIQUE, watch, "%s comes twice", event);
            }
        }
        return Optional.empty();
    }

    /**
     * Between the first and the last event, no matching event is missing. After the last one none
     * is due yet: {@link #bookmarkable} covers the revisions that a bookmark claims.
     */
    public static Optional<Violation> reliable(RecordedWatch watch, EpochHistory truth) {
        List<Received.Event> events = watch.events();
        if (events.isEmpty()) {
            return Optional.empty();
        }
        long first = events.getFirst().revision();
        long last = events.stream().mapToLong(Received.Event::revision).max().orElse(first);
        Set<Received.Event> got = new HashSet<>(events);
        return truth.expected(watch.interest(), first - 1, last).stream()
                .filter(expected -> !got.contains(expected))
                .findFirst()
                .flatMap(missing -> broken(Promise.RELIABLE, watch, "%s is missing", missing));
    }

    /** The events of a revision arrive together, whole, before anything else. */
    public static Optional<Violation> atomic(RecordedWatch watch, EpochHistory truth) {
        List<List<Received.Event>> blocks = new ArrayList<>();
        boolean open = false;
        for (Received next : watch.received()) {
            if (next instanceof Received.Event event) {
                if (!open || blocks.getLast().getLast().revision() != event.revision()) {
                    blocks.add(new ArrayList<>());
                }
                blocks.getLast().add(event);
                open = true;
            } else {
                open = false;
            }
        }
        for (List<Received.Event> block : blocks) {
            long revision = block.getFirst().revision();
            int whole = truth.expected(watch.interest(), revision - 1, revision).size();
            if (block.size() < whole) {
                return broken(
                        Promise.ATOMIC,
                        watch,
                        "%d of the %d events of revision %d arrived together",
                        block.size(),
                        whole,
                        revision);
            }
        }
        return Optional.empty();
    }

    /**
     * It continues exactly after its start, or, if that is below the floor, gets one ERROR 410 and
     * nothing else; a later 410 must be justified too.
     */
    public static Optional<Violation> resumable(RecordedWatch watch, EpochHistory truth) {
        Optional<Violation> gone = refusesOnlyCompacted(watch);
        if (gone.isPresent() || watch.start().isEmpty()) {
            return gone;
        }
        long start = watch.start().getAsLong();
        List<Received.Event> events = watch.events();
        boolean below = watch.afterRevision().isPresent() && start < watch.floorAtStart();
        if (below && events.isEmpty()) {
            return Optional.empty();
        }
        long last = events.isEmpty() ? start : events.getFirst().revision();
        Optional<Received.Event> expected =
                truth.expected(watch.interest(), start, last).stream().findFirst();
        boolean same =
                expected.isEmpty()
                        ? events.isEmpty() || truth.isInInexactGap(events.getFirst().revision())
                        : sameRevision(expected.get(), events.getFirst());
        return same
                ? Optional.empty()
                : broken(
                        Promise.RESUMABLE, watch, "%s is not the next event: %s", events, expected);
    }

    private static boolean sameRevision(Received.Event one, Received.Event other) {
        return one.revision() == other.revision();
    }

    /** ERROR 410 comes last, and only if the floor has passed what the client has received. */
    private static Optional<Violation> refusesOnlyCompacted(RecordedWatch watch) {
        List<Received> received = watch.received();
        for (int i = 0; i < received.size(); i++) {
            if (received.get(i) instanceof Received.Expired(long floor)) {
                boolean end =
                        received.subList(i + 1, received.size()).stream()
                                .allMatch(Received.Ended.class::isInstance);
                if (!end) {
                    return broken(Promise.RESUMABLE, watch, "more comes after its ERROR 410");
                }
                long cursor = watch.cursorAfter(i);
                if (floor <= cursor) {
                    return broken(
                            Promise.RESUMABLE,
                            watch,
                            "410 at %d although the floor is %d",
                            cursor,
                            floor);
                }
            }
        }
        return Optional.empty();
    }

    /** A bookmark never goes back, and every event that it covers has arrived before it. */
    public static Optional<Violation> bookmarkable(RecordedWatch watch, EpochHistory truth) {
        if (watch.start().isEmpty()) {
            return Optional.empty();
        }
        long covered = watch.start().getAsLong();
        Set<Received.Event> got = new HashSet<>();
        for (Received next : watch.received()) {
            if (next instanceof Received.Event event) {
                if (event.revision() <= covered) {
                    return broken(
                            Promise.BOOKMARKABLE, watch, "%s, but %d was sent", event, covered);
                }
                got.add(event);
            }
            if (next instanceof Received.Bookmark(long revision, _)) {
                if (revision < covered) {
                    return broken(Promise.BOOKMARKABLE, watch, "%d after %d", revision, covered);
                }
                for (Received.Event expected :
                        truth.expected(watch.interest(), covered, revision)) {
                    if (!got.contains(expected)) {
                        return broken(
                                Promise.BOOKMARKABLE, watch, "%d, but not %s", revision, expected);
                    }
                }
                covered = revision;
            }
        }
        return Optional.empty();
    }

    /** Every event is what the selector must make of a true change, with its true content. */
    public static Optional<Violation> filtered(RecordedWatch watch, EpochHistory truth) {
        for (Received.Event event : watch.events()) {
            long revision = event.revision();
            boolean known =
                    truth.isInInexactGap(revision)
                            || truth.expected(watch.interest(), revision - 1, revision)
                                    .contains(event);
            if (!known) {
                return broken(
                        Promise.FILTERED,
                        watch,
                        "%s %s is none of %s",
                        event,
                        event.shown(),
                        truth.expected(watch.interest(), revision - 1, revision));
            }
        }
        return Optional.empty();
    }

    private static Optional<Violation> broken(
            Promise promise, RecordedWatch watch, String detail, Object... arguments) {
        return Optional.of(new Violation(promise, watch + ": " + detail.formatted(arguments)));
    }
}
