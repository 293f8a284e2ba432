package io.tidemark.query.watch;

import java.util.List;

/** What the next step of a watch brought. */
public sealed interface Step {
    /**
     * Events to send, in order, whole revisions; not empty.
     *
     * @param throughRevision every event of this watch at or below it has been handed out with
     *     these
     */
    record Events(List<Delivery> deliveries, long throughRevision) implements Step {}

    /**
     * Nothing until the time was over.
     *
     * @param throughRevision as with {@link Events}; may lie below where the watch began, when that
     *     was in the future
     */
    record Quiet(long throughRevision) implements Step {}

    /** The server stops; the watch may be taken up again elsewhere where it stands. */
    record Ended() implements Step {}
}
