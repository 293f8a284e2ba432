package io.tidemark.serving.watch;

import java.util.List;

/**
 * Events that go to watchers together, whole revisions.
 *
 * @param throughRevision every event of these watchers at or below it has now been handed over
 */
record Batch(List<QueuedEvent> events, long throughRevision, long bytes) {}
