package io.tidemark.simulation.world;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One input of the world from outside: a write or a fault. A run's plan is a list of steps, so that
 * the shrinker can shorten a failing plan. Nodes and partitions are numbers modulo their count.
 */
public sealed interface Step {
    /** Milliseconds after the beginning. */
    long atMillis();

    /**
     * An etcd transaction.
     *
     * @param leased whether its puts are attached to a lease, the plan's newest or a new one
     */
    record Write(long atMillis, List<KeyWrite> keys, boolean leased) implements Step {
        public Write {
            keys = List.copyOf(keys);
        }

        public Map<Bytes, @Nullable Payload> asMap() {
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

    /** One revision deletes every key of a prefix. */
    record DeleteRange(long atMillis, Bytes prefix) implements Step {}

    /** The oldest lease ends, with all its keys. */
    record ExpireLease(long atMillis) implements Step {}

    /** The topic's cleaner runs. */
    record CleanTopic(long atMillis) implements Step {}

    /** Faults of etcd. */
    sealed interface ToEtcd extends Step {}

    /** etcd compacts all but its newest {@code keepRevisions}. */
    record CompactEtcd(long atMillis, int keepRevisions) implements ToEtcd {}

    /** Every watch stream on etcd breaks. */
    record BreakWatches(long atMillis) implements ToEtcd {}

    /** Every watch stream on etcd falls silent, and its reader is not told. */
    record SilenceWatches(long atMillis) implements ToEtcd {}

    /** etcd comes back without its newest revisions. */
    record LoseHistory(long atMillis, int lostRevisions, Loss how) implements ToEtcd {}

    /** How etcd can lose acknowledged writes. */
    enum Loss {
        /** A backup, which is another cluster. */
        RESTORED,
        /** An older disk: the same cluster. */
        SET_BACK,
        /** Everything is lost. */
        WIPED,
        /** A backup that skips revisions: another cluster with a higher revision. */
        REPLACED
    }

    /** etcd answers no client. */
    record CutEtcd(long atMillis, long millis) implements ToEtcd {}

    /** etcd's watch streams deliver late. */
    record SlowEtcd(long atMillis, long millis) implements ToEtcd {}

    /** Faults of the broker. */
    sealed interface ToBroker extends Step {}

    /** The broker answers no producer. */
    record CutKafka(long atMillis, long millis) implements ToBroker {}

    /**
     * The broker's disk damages records of a partition.
     *
     * @param back from the end to the first of them
     * @param records how many at most
     */
    record CorruptTopic(long atMillis, int partition, int back, int records) implements ToBroker {}

    /**
     * A producer that is no connector writes a record that breaks the topic's format.
     *
     * @param serial makes its key unique
     */
    record ForeignRecord(long atMillis, int partition, Malformation how, int serial)
            implements ToBroker {}

    /** What is wrong with a record. */
    enum Malformation {
        NO_HEADERS,
        NO_VALUE,
        BAD_MARK
    }

    /** Faults of connectors. */
    sealed interface ToConnectors extends Step {}

    /** The leading connector dies, or all of them do, and restart. */
    record CrashConnector(long atMillis, boolean all, long downMillis) implements ToConnectors {}

    /** The leading connector pauses; what it had sent arrives, then it continues. */
    record PauseConnector(long atMillis, long millis) implements ToConnectors {}

    /** Another connector is elected while the first still runs. */
    record MoveLeadership(long atMillis) implements ToConnectors {}

    /** A node requests a relist, for example because the topic is corrupt. */
    record Relist(long atMillis) implements ToConnectors {}

    /** Faults of nodes, and of the links between them. */
    sealed interface ToNodes extends Step {}

    /** A node dies, loses its unflushed writes or its whole disk, and restarts. */
    record CrashNode(long atMillis, int node, boolean wiped, long downMillis) implements ToNodes {}

    /** A node pauses. */
    record PauseNode(long atMillis, int node, long millis) implements ToNodes {}

    /** A node's disk is full for a while. */
    record FillDisk(long atMillis, int node, long millis) implements ToNodes {}

    /**
     * A replica's store loses a key of one family without a word, or shows one that is not there.
     */
    record CorruptKey(long atMillis, int node, int partition, Corruption how) implements ToNodes {}

    /** What a store did. */
    enum Corruption {
        OBJECT_LOST,
        METADATA_LOST,
        OBJECT_INVENTED
    }

    /** A partition becomes active on another node. */
    record MovePartition(long atMillis, int partition, int node) implements ToNodes {}

    /** A replica of one partition pauses. */
    record PauseReplica(long atMillis, int node, int partition, long millis) implements ToNodes {}

    /** A replica reads records again that it has already applied. */
    record RewindReplica(long atMillis, int node, int partition, int records) implements ToNodes {}

    /** One node's requests to another take long, or get no answer. */
    record DegradeLink(long atMillis, int from, int to, boolean cut, long millis)
            implements ToNodes {}

    /**
     * A clock is set to another time. A node's may go ahead without a limit (it costs history); all
     * others, and all that go back, only as far as stores allow clocks to differ.
     */
    record JumpClock(long atMillis, Clock clock, int number, long offsetMillis) implements Step {}

    /** Whose clock. */
    enum Clock {
        NODE,
        BROKER,
        CONNECTOR
    }
}
