package io.tidemark.connector.source;

import java.util.List;

/** A signal of a running watch. */
public sealed interface WatchSignal {
    /**
     * The watch is open; the first signal.
     *
     * @param clusterId of the cluster that answered, unsigned
     */
    record Opened(long clusterId) implements WatchSignal {}

    /**
     * Changes in etcd's order.
     *
     * @param whole whether the last one's revision is complete: a revision too large for a buffer
     *     comes in parts
     */
    record Changes(List<EtcdEvent> events, boolean whole) implements WatchSignal {
        /** Changes of whole revisions. */
        public Changes(List<EtcdEvent> events) {
            this(events, true);
        }

        public Changes {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("a watch delivered no changes");
            }
        }

        /** Approximate size in memory. */
        public long size() {
            long bytes = 0;
            for (EtcdEvent event : events) {
                bytes += event.size();
            }
            return bytes;
        }
    }

    /** Every change at or below {@code revision} was delivered before this. */
    record Progress(long revision) implements WatchSignal {}

    /**
     * The watch ended: the revision it needs next is compacted; this is the oldest readable one.
     */
    record Compacted(long compactRevision) implements WatchSignal {}

    /** The watch ended for another reason; what was delivered before remains valid. */
    record Broken(String why) implements WatchSignal {}
}
