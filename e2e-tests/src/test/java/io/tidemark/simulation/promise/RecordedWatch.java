package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Everything that one watch received. */
public final class RecordedWatch implements Observation {
    private final long epoch;
    private final long mirrorEpoch;
    private final ModelFilter interest;
    private final OptionalLong afterRevision;
    private final long floorAtStart;
    private final List<Received> received = new ArrayList<>();

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
