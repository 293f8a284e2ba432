package io.tidemark.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The kinds of fault. Each is over when the cluster is healthy again, as {@link ClusterHealth}
 * defines it, without what the fault took away.
 */
public enum FaultKind {
    KILL_NODE(
            "scale",
            "kill -9 of a node",
            ProcessFaults::nodesAreEnough,
            ProcessFaults::killNode,
            8),
    RESTART_EMPTY(
            "scale",
            "restart of that node, with an empty folder",
            ProcessFaults::nodesAreMissing,
            ProcessFaults::startEmptyNode,
            2),
    ADD_NODE(
            "scale", "one more node", ProcessFaults::oneMoreFits, ProcessFaults::startEmptyNode, 2),
    STOP_NODE(
            "scale",
            "SIGTERM of a node",
            ProcessFaults::nodesAreEnough,
            ProcessFaults::stopNode,
            2),
    KILL_CONNECTOR(
            "scale",
            "kill -9 of the leading connector",
            ProcessFaults::connectorsAreEnough,
            ProcessFaults::killLeadingConnector,
            10),
    START_CONNECTOR(
            "scale",
            "restart of that connector",
            ProcessFaults::connectorIsMissing,
            ProcessFaults::startConnector,
            2),
    ROLL(
            "upgrade",
            "restart of a member in the other release",
            RollingUpgrade::isPossible,
            RollingUpgrade::next,
            10),
    PAUSE_NODE(
            "pause",
            "SIGSTOP of a node",
            ProcessFaults::nodesAreEnough,
            ProcessFaults::pauseNode,
            10),
    PAUSE_CONNECTOR(
            "pause",
            "SIGSTOP of the leading connector",
            ProcessFaults::connectorsAreEnough,
            ProcessFaults::pauseLeadingConnector,
            10),
    PAUSE_BROKER("pause", "SIGSTOP of the broker", _ -> true, ProcessFaults::pauseBroker, 10),
    PAUSE_ETCD("pause", "SIGSTOP of etcd", _ -> true, ProcessFaults::pauseEtcd, 10),
    KILL_BROKER(
            "stores", "kill -9 and restart of a broker", _ -> true, ProcessFaults::killBroker, 10),
    KILL_ETCD("stores", "kill -9 and restart of etcd", _ -> true, EtcdFaults::kill, 10),
    COMPACT_ETCD("stores", "compaction of etcd", _ -> true, EtcdFaults::compact, 2),
    COMPACT_BEYOND(
            "stores",
            "compaction of revisions that no connector has read",
            scene -> ProcessFaults.connectorsAreEnough(scene) && !TreeFaults.isTree(scene),
            EtcdFaults::compactBeyond,
            10),
    KILL_ROOT_NODE(
            "tree",
            "kill -9 and restart of a followed node",
            TreeFaults::isTree,
            TreeFaults::killNode,
            10),
    REBUILD_ROOT_NODE(
            "tree",
            "kill -9 of a followed node, and restart with an empty folder",
            TreeFaults::isTree,
            TreeFaults::rebuildNode,
            10),
    PAUSE_ROOT_NODE(
            "tree", "SIGSTOP of a followed node", TreeFaults::isTree, TreeFaults::pauseNode, 20),
    KILL_ROOT_CONNECTOR(
            "tree",
            "kill -9 and restart of the followed connector",
            TreeFaults::isTree,
            TreeFaults::killConnector,
            20),
    RESTORE_ETCD(
            "restore", "restore of an older etcd state", _ -> false, EtcdFaults::neverInRounds, 5),
    FLIP_SST(
            "disk",
            "flipped bytes in a node's files",
            ProcessFaults::nodesAreEnough,
            DiskCorruptionFaults::flip,
            10),
    FLIP_SST_RESTART(
            "disk",
            "flipped bytes in a node's files while it is down",
            ProcessFaults::nodesAreEnough,
            DiskCorruptionFaults::flipWhileDown,
            10),
    FLIP_TOPIC(
            "disk",
            "a flipped byte in the topic, and a node that reads it",
            _ -> false,
            EtcdFaults::neverInRounds,
            10),
    FILL_DISK(
            "disk",
            "a node's disk full, then not",
            FullDiskFault::isPossible,
            FullDiskFault::fill,
            10),
    SLOW_DISK(
            "disk",
            "a node's disk slow, then not",
            SlowDiskFault::arePossible,
            SlowDiskFault::slow,
            10),
    CUT_NODE_BROKER(
            "cut",
            "no connection from a node to the broker",
            NetworkFaults::arePossible,
            NetworkFaults::nodeBroker,
            10),
    CUT_NODE_NODE(
            "cut",
            "no connection between two nodes",
            NetworkFaults::arePossible,
            NetworkFaults::nodeNode,
            10),
    CUT_CONNECTOR_ETCD(
            "cut",
            "no connection from the leading connector to etcd",
            NetworkFaults::leaderCanBeReplaced,
            NetworkFaults::connectorEtcd,
            10),
    CUT_CONNECTOR_BROKER(
            "cut",
            "no connection from the leading connector to the broker",
            NetworkFaults::leaderCanBeReplaced,
            NetworkFaults::connectorBroker,
            10),
    JUMP_CLOCK_NODE(
            "clock",
            "a node's clock jumps, and back",
            ClockFaults::arePossible,
            ClockFaults::node,
            3),
    JUMP_CLOCK_CONNECTOR(
            "clock",
            "the leading connector's clock jumps, and back",
            ClockFaults::arePossible,
            ClockFaults::connector,
            10),
    JUMP_CLOCK_BROKER(
            "clock",
            "the broker's clock jumps, and back",
            ClockFaults::arePossible,
            ClockFaults::broker,
            10);

    private final String group;
    private final String title;

    // Stateless functions.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Precondition possible;

    @SuppressWarnings("ImmutableEnumChecker")
    private final FaultAction deed;

    private final Duration allowedPause;

    /** Whether it is possible now. */
    @FunctionalInterface
    interface Precondition {
        boolean in(FaultContext scene);
    }

    /** Does it; returns once it is done, not once it is over. */
    @FunctionalInterface
    interface FaultAction {
        FaultContext.FaultEffect to(FaultContext scene) throws Exception;
    }

    FaultKind(
            String group,
            String title,
            Precondition possible,
            FaultAction deed,
            int allowedPauseSeconds) {
        this.group = group;
        this.title = title;
        this.possible = possible;
        this.deed = deed;
        allowedPause = Duration.ofSeconds(allowedPauseSeconds);
    }

    /** Its name on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String group() {
        return group;
    }

    /** Whether nothing recorded before counts after it: the run does it last. */
    public boolean startsNewEpoch() {
        return this == RESTORE_ETCD || this == FLIP_TOPIC;
    }

    /** A description. */
    public String title() {
        return title;
    }

    /**
     * The expected maximum delay of a write to its watchers because of it, after what was paused
     * continues; reported, not enforced.
     */
    public Duration allowedPause() {
        return allowedPause;
    }

    boolean isPossible(FaultContext scene) {
        return possible.in(scene);
    }

    FaultContext.FaultEffect apply(FaultContext scene) throws Exception {
        return deed.to(scene);
    }

    /**
     * Kinds and groups by their names, in the order of this enum.
     *
     * @throws IllegalArgumentException when one is unknown
     */
    public static List<FaultKind> parse(List<String> words) {
        List<String> unknown = new ArrayList<>(words);
        List<FaultKind> kinds =
                Arrays.stream(values())
                        .filter(kind ->
                                words.contains(kind.word())
                                        || words.contains(kind.group())
                                        || words.contains("all"))
                        .toList();
        unknown.remove("all");
        for (FaultKind kind : values()) {
            unknown.remove(kind.word());
            unknown.remove(kind.group());
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown faults: " + unknown);
        }
        return kinds;
    }
}
