package io.tidemark.query.watch;

import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import java.util.Optional;

/** The steps of one watch. Both methods throw a StatusException 410 when it cannot go on. */
public interface StepSource {
    /**
     * Takes what has come, without blocking.
     *
     * @return empty when the watch is not live
     */
    Optional<Step> poll() throws InterruptedException;

    /**
     * Whether another poll returns more at once, although the last one returned no events: what it
     * took did not match.
     */
    boolean hasMore();

    /**
     * Reads what the watch lacks from the store.
     *
     * @param untilNanos ends a wait for more
     * @return empty once the watch is live
     */
    Optional<Step> catchUp(long untilNanos) throws InterruptedException;

    static StepSource of(WatchCursor cursor) {
        return new StepSource() {
            @Override
            public Optional<Step> poll() throws InterruptedException {
                return cursor.poll();
            }

            @Override
            public boolean hasMore() {
                return cursor.hasMore();
            }

            @Override
            public Optional<Step> catchUp(long untilNanos) throws InterruptedException {
                return cursor.catchUp(untilNanos);
            }
        };
    }
}
