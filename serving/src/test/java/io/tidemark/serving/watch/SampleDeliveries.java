package io.tidemark.serving.watch;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.serving.watch.event.Transition;
import io.tidemark.view.request.ObjectChange;

/** Deliveries for tests of other packages. */
public final class SampleDeliveries {
    private SampleDeliveries() {}

    /** A change through the eyes of a watch that it enters. */
    public static Delivery entering(ObjectChange change) {
        return new Delivery(new EncodedEvent(change), Transition.ENTERED);
    }
}
