package io.tidemark.serving.watch;

import java.util.List;

/**
 * Events of whole revisions that the demux delivers to mailboxes together.
 *
 * @param throughRevision every event of these mailboxes at or below it has been delivered with this
 *     batch
 */
record Batch(List<QueuedEvent> events, long throughRevision, long bytes) {}
