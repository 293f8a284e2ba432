package io.tidemark.serving.watch;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.request.ChangePosition;
import java.util.List;

/** The result of one step of a {@link WatchCursor}. */
public sealed interface Step {
    /**
     * Events to send, in order; not empty.
     *
     * @param through every event of this watch at or before it has been returned with these. Inside
     *     a revision, the rest of that revision follows; the client must get it before the watch
     *     ends or sends a bookmark
     */
    record Events(List<Delivery> deliveries, ChangePosition through) implements Step {
        /** The newest revision of which nothing is missing. */
        public long throughRevision() {
            return through.wholeRevision();
        }

        /** Whether these end with a whole revision. */
        public boolean isWhole() {
            return through.isWhole();
        }
    }

    /**
     * No event came within the time.
     *
     * @param through as with {@link Events}; of a watch that began in the future its start, until
     *     that has been reached
     */
    record NoEvents(ChangePosition through) implements Step {
        /** The newest revision of which nothing is missing. */
        public long throughRevision() {
            return through.wholeRevision();
        }

        /** Whether the client has got whole revisions only. */
        public boolean isWhole() {
            return through.isWhole();
        }
    }

    /** The server drains or stops; the client may resume the watch elsewhere. */
    record Ended() implements Step {}
}
