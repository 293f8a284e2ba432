package io.tidemark.simulation;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is done to the world from outside: a write, or a fault. A run's plan is a list of
 * them, so that a failing plan can be made shorter.
 */
sealed interface Step {
    /** Milliseconds after the beginning. */
    long atMillis();

    /** Whether things may be out of order for a while after it. */
    default boolean isFault() {
        return switch (this) {
            case Write _, ExpireLease _ -> false;
            case CompactEtcd _, CleanTopic _ -> false;
            case BreakWatches _, RestoreEtcd _, CutEtcd _, CutKafka _ -> true;
            case CrashConnector _, PauseConnector _, SecondConnector _ -> true;
            case CrashNode _, WipeNode _, PauseReplica _, RewindReplica _ -> true;
        };
    }

    /** How long a fault lasts; 0 when it is over at once. */
    default long durationMillis() {
        return switch (this) {
            case CutEtcd(_, long millis) -> millis;
            case CutKafka(_, long millis) -> millis;
            case CrashConnector(_, long downMillis) -> downMillis;
            case PauseConnector(_, long millis) -> millis;
            case CrashNode(_, _, long downMillis) -> downMillis;
            case WipeNode(_, _, long downMillis) -> downMillis;
            case PauseReplica(_, _, _, long millis) -> millis;
            case Write _, ExpireLease _, CompactEtcd _, CleanTopic _ -> 0;
            case BreakWatches _, RestoreEtcd _, SecondConnector _, RewindReplica _ -> 0;
        };
    }

    /**
     * An etcd transaction.
     *
     * @param leased whether its puts hang on a lease, the plan's newest or a new one
     */
    record Write(long atMillis, List<KeyWrite> keys, boolean leased) implements Step {
        public Write {
            keys = List.copyOf(keys);
        }

        Map<Bytes, @Nullable Payload> asMap() {
            Map<Bytes, @Nullable Payload> map = new LinkedHashMap<>();
            keys.forEach(write -> map.put(write.key(), write.payload()));
            return map;
        }
    }

    /** A key's new value; null deletes. */
    record KeyWrite(Bytes key, @Nullable Payload payload) {
        @Override
        public String toString() {
            return payload == null ? "-" + key : "+" + key + " " + payload.shown();
        }
    }

    /** The oldest lease ends, with all its keys. */
    record ExpireLease(long atMillis) implements Step {}

    /** etcd forgets all but its newest {@code keepRevisions}. */
    record CompactEtcd(long atMillis, int keepRevisions) implements Step {}

    /** The topic's cleaner runs. */
    record CleanTopic(long atMillis) implements Step {}

    /** Every watch stream on etcd breaks. */
    record BreakWatches(long atMillis) implements Step {}

    /** etcd comes back from a backup, without its newest revisions, as another cluster. */
    record RestoreEtcd(long atMillis, int lostRevisions) implements Step {}

    /** etcd answers nobody. */
    record CutEtcd(long atMillis, long millis) implements Step {}

    /** The broker answers no producer. */
    record CutKafka(long atMillis, long millis) implements Step {}

    /** The connector dies and is started again. */
    record CrashConnector(long atMillis, long downMillis) implements Step {}

    /** The connector stands still; what it had sent arrives, then it goes on. */
    record PauseConnector(long atMillis, long millis) implements Step {}

    /** Another connector takes over while the first still runs. */
    record SecondConnector(long atMillis) implements Step {}

    /** A node dies, loses what was not flushed, and is started again. */
    record CrashNode(long atMillis, int node, long downMillis) implements Step {}

    /** A node dies and comes back with an empty disk. */
    record WipeNode(long atMillis, int node, long downMillis) implements Step {}

    /** A replica of one partition stands still. */
    record PauseReplica(long atMillis, int node, int partition, long millis) implements Step {}

    /** A replica reads records again that it has applied before. */
    record RewindReplica(long atMillis, int node, int partition, int records) implements Step {}
}
