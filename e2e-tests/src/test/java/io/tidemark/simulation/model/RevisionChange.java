package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One revision's change of one mirrored key.
 *
 * @param index among the mirrored changes of the revision, from 0
 * @param current null when it deleted the key
 * @param previous null when the key did not exist before
 */
public record RevisionChange(
        long revision,
        int index,
        Bytes key,
        @Nullable Version current,
        @Nullable Version previous) {
    /** The event that a watcher with this filter must receive; empty for none. */
    public Optional<Received.Event> as(ModelFilter interest, long epoch) {
        boolean now = interest.matches(current);
        boolean before = interest.matches(previous);
        if (now) {
            EventType type = before ? EventType.MODIFIED : EventType.ADDED;
            return Optional.of(event(type, interest, epoch));
        }
        return before ? Optional.of(event(EventType.DELETED, interest, epoch)) : Optional.empty();
    }

    private Received.Event event(EventType type, ModelFilter interest, long epoch) {
        Version shown = type == EventType.DELETED ? previous : current;
        return new Received.Event(
                epoch, type, revision, key, shown == null ? "" : interest.shown(shown));
    }
}
