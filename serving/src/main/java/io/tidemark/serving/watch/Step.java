package io.tidemark.serving.watch;

import io.tidemark.view.ChangePosition;
import java.util.List;

/** What the next step of a watch brought. */
public sealed interface Step {
    /**
     * Events to send, in order; not empty.
     *
     * @param through every event of this watch at or before it has been handed out with these. When
     *     it lies inside a revision, more of that revision follows, and the client is to get it
     *     before the watch ends or tells a revision
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
     * Nothing until the time was over.
     *
     * @param through as with {@link Events}; may lie below where the watch began, when that was in
     *     the future
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

    /** The server stops; the watch may be taken up again elsewhere where it stands. */
    record Ended() implements Step {}
}
