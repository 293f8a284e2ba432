package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one revision did to one mirrored key.
 *
 * @param index place among the mirrored changes of the revision, from 0
 * @param current null when it deleted the key
 * @param previous null when there was no such key before
 */
public record RevisionChange(
        long revision,
        int index,
        Bytes key,
        @Nullable Version current,
        @Nullable Version previous) {
    /** What a watcher with this interest must be told of it; empty for nothing. */
    public Optional<Received.Event> as(ModelFilter interest, long epoch) {
        boolean now = interest.matches(current);
        boolean before = interest.matches(previous);
        if (now) {
            return Optional.of(event(before ? EventType.MODIFIED : EventType.ADDED, epoch));
        }
        return before ? Optional.of(event(EventType.DELETED, epoch)) : Optional.empty();
    }

    private Received.Event event(EventType type, long epoch) {
        Version shown = type == EventType.DELETED ? previous : current;
        return new Received.Event(
                epoch, type, revision, key, shown == null ? "" : shown.payload().shown());
    }
}
