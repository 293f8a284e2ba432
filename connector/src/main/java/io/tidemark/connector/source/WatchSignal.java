package io.tidemark.connector.source;

import java.util.List;

/** What a running watch delivers. */
public sealed interface WatchSignal {
    /**
     * The watch stands; the first signal.
     *
     * @param clusterId of the cluster that answered, unsigned
     */
    record Opened(long clusterId) implements WatchSignal {}

    /**
     * Changes in etcd's order.
     *
     * @param whole whether nothing of the last one's revision follows: one that is too large to be
     *     held comes in parts
     */
    record Changes(List<EtcdEvent> events, boolean whole) implements WatchSignal {
        /** Of whole revisions. */
        public Changes(List<EtcdEvent> events) {
            this(events, true);
        }

        public Changes {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("a watch delivered no changes");
            }
        }

        /** What they take in memory, roughly. */
        public long size() {
            long bytes = 0;
            for (EtcdEvent event : events) {
                bytes += event.size();
            }
            return bytes;
        }
    }

    /** Every change at or below {@code revision} has been delivered before this. */
    record Progress(long revision) implements WatchSignal {}

    /** The watch ended: etcd has compacted what it needs next; this is the oldest it still has. */
    record Compacted(long compactRevision) implements WatchSignal {}

    /** The watch ended for another reason; what was delivered before stands. */
    record Broken(String why) implements WatchSignal {}
}
