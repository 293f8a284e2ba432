package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Everything that one watch received. */
public final class RecordedWatch implements Observation {
    private final long epoch;
    private final long mirrorEpoch;
    private final ModelFilter interest;
    private final OptionalLong afterRevision;
    private final long floorAtStart;
    private final List<Received> received = new ArrayList<>();
    private long acknowledgedAtBegin;
    private @Nullable String overdue;

    public RecordedWatch(
            long epoch, ModelFilter interest, OptionalLong afterRevision, long floorAtStart) {
        this(epoch, 0, interest, afterRevision, floorAtStart);
    }

    /**
     * @param epoch at its opening
     * @param mirrorEpoch at its opening
     * @param afterRevision exclusive; empty when it begins with the state instead
     * @param floorAtStart that the server reported when the watch was opened
     */
    public RecordedWatch(
            long epoch,
            long mirrorEpoch,
            ModelFilter interest,
            OptionalLong afterRevision,
            long floorAtStart) {
        this.epoch = epoch;
        this.mirrorEpoch = mirrorEpoch;
        this.interest = interest;
        this.afterRevision = afterRevision;
        this.floorAtStart = floorAtStart;
    }

    /**
     * Records that it begins at what is the newest revision now.
     *
     * @param acknowledged the newest revision that etcd had acknowledged when it was requested
     */
    public RecordedWatch beginsNow(long acknowledged) {
        acknowledgedAtBegin = acknowledged;
        return this;
    }

    /** The least revision that it may begin after; 0 if its client named one. */
    public long acknowledgedAtBegin() {
        return acknowledgedAtBegin;
    }

    /** Records that a bookmark did not come in time. */
    public void bookmarkIsOverdue(String why) {
        overdue = why;
    }

    /** Which bookmark did not come in time. */
    public Optional<String> overdueBookmark() {
        return Optional.ofNullable(overdue);
    }

    public RecordedWatch add(Received next) {
        received.add(next);
        return this;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long mirrorEpoch() {
        return mirrorEpoch;
    }

    public ModelFilter interest() {
        return interest;
    }

    public OptionalLong afterRevision() {
        return afterRevision;
    }

    public long floorAtStart() {
        return floorAtStart;
    }

    public List<Received> received() {
        return received;
    }

    public List<Received.Event> events() {
        return received.stream()
                .filter(Received.Event.class::isInstance)
                .map(Received.Event.class::cast)
                .toList();
    }

    /** Where the events begin, exclusive; empty while the initial state is not complete. */
    public OptionalLong start() {
        if (afterRevision.isPresent()) {
            return afterRevision;
        }
        for (Received next : received) {
            if (next instanceof Received.Bookmark(long revision, boolean endsInitial)
                    && endsInitial) {
                return OptionalLong.of(revision);
            }
        }
        return OptionalLong.empty();
    }

    /** The revision that a client knows after the first {@code count} received things. */
    public long cursorAfter(int count) {
        long cursor = afterRevision.orElse(0);
        for (Received next : received.subList(0, count)) {
            cursor =
                    switch (next) {
                        case Received.Event event -> Math.max(cursor, event.revision());
                        case Received.Bookmark(long revision, _) -> Math.max(cursor, revision);
                        case Received.Initial _, Received.Expired _, Received.Ended _ -> cursor;
                    };
        }
        return cursor;
    }

    @Override
    public long newestRevision() {
        return cursorAfter(received.size());
    }

    @Override
    public String toString() {
        return "watch of %s after %s in epoch %d".formatted(interest, afterRevision, epoch);
    }
}
