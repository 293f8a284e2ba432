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

    /** Changes of one or more whole revisions, in etcd's order; never a part of a revision. */
    record Changes(List<EtcdEvent> events) implements WatchSignal {
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
