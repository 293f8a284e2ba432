package io.tidemark.serving.watch;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.serving.watch.event.Transition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event in the mailboxes of a group. The dispatcher evaluates the group's filter when it
 * publishes the event, if that is cheap. Otherwise the first watch that takes the event does, on
 * its own thread, once for the group, so that costly filters do not delay other groups.
 * Thread-safe.
 */
final class QueuedEvent {
    private final EncodedEvent event;
    private final WatchFilter filter;

    /** Null until the filter was evaluated. Guarded by this. */
    private @Nullable Optional<Delivery> delivery;

    /** An event that the filter is yet to be evaluated for. */
    QueuedEvent(EncodedEvent event, WatchFilter filter) {
        this.event = event;
        this.filter = filter;
    }

    /** An event that is known to match. */
    QueuedEvent(EncodedEvent event, WatchFilter filter, Transition transition) {
        this(event, filter);
        this.delivery = Optional.of(new Delivery(event, transition));
    }

    long revision() {
        return event.revision();
    }

    /** The delivery to the group's watches; empty when the filter does not match. */
    synchronized Optional<Delivery> delivery() {
        Optional<Delivery> known = delivery;
        if (known == null) {
            known =
                    filter.transition(event.change())
                            .map(transition -> new Delivery(event, transition));
            delivery = known;
        }
        return known;
    }
}
