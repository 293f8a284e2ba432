package io.tidemark.serving.watch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event in the mailboxes of a group. What it means to the group is found out when it is posted,
 * if that is cheap; else by the first of the group's watches that takes it, on its own thread, once
 * for all of them: so that matching holds up nobody else. For any thread.
 */
final class QueuedEvent {
    private final EncodedEvent event;
    private final WatchFilter filter;

    /** Null for not found out yet. Guarded by this. */
    private @Nullable Optional<Delivery> delivery;

    /** Something that the interest is still to be asked about. */
    QueuedEvent(EncodedEvent event, WatchFilter filter) {
        this.event = event;
        this.filter = filter;
    }

    /** Something that is known to mean something. */
    QueuedEvent(EncodedEvent event, WatchFilter filter, Transition transition) {
        this(event, filter);
        this.delivery = Optional.of(new Delivery(event, transition));
    }

    long revision() {
        return event.revision();
    }

    /** What is to be delivered; empty when it means nothing to the group. */
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
