package io.tidemark.chaos.process;

import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * etcd, brokers, connectors and nodes, each a separate process on free loopback ports that it keeps
 * over its restarts. There is one node slot more than nodes, for the one that is added. In a {@link
 * Tree} there are other Tidemarks around it.
 */
public final class Cluster implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(5);

    /** Of the topic and the group. */
    private static final String NAME = "tidemark";

    private final ManagedProcess etcd;
    private final List<ManagedProcess> brokers;
    private final List<Member> connectors;
    private final List<Member> nodes;
    private final Optional<Tree> tree;
    private final int etcdPort;
    private final List<String> topicTool;
    private final Duration history;
    private final Links links;
    private final Clocks clocks;
    private final Map<String, SlowDisk> slowDisks;
    private final Optional<OtherRelease> other;
    private final Watchdog watchdog;
    private volatile boolean left;

    /**
     * A connector or node.
     *
     * @param port where it answers clients
     */
    public record Member(ManagedProcess process, String host, int port) {
        public String name() {
            return process.name();
        }

        public String url() {
            return "http://" + host + ":" + port;
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /**
     * Creates it below {@code folder}; nothing runs yet.
     *
     * @param history that nodes keep, and the topic
     * @param other the release that connectors and nodes begin with
     */
    public Cluster(Path folder, ClusterSize size, Duration history, Optional<OtherRelease> other)
            throws IOException, InterruptedException {
        this.other = other;
        Files.createDirectories(folder);
        LinkedHashMap<String, Integer> ports = new LinkedHashMap<>();
        etcdPort = pickPort(ports, "etcd");
        List<String> brokerNames = Brokers.names(size.brokers());
        for (String name : brokerNames) {
            pickPort(ports, name);
        }
        String bootstrap = Brokers.bootstrap(brokerNames, ports);
        if (size.tree()) {
            for (String name : Tree.NAMES) {
                pickPort(ports, name);
            }
        }
        for (int i = 1; i <= size.connectors(); i++) {
            pickPort(ports, "connector-" + i);
        }
        for (int i = 1; i <= size.nodes() + 1; i++) {
            pickPort(ports, "node-" + i);
        }
        this.history = history;
        links = new Links(folder, ports, size.proxied());
        clocks = new Clocks(folder, size.clocks());
        etcd = new ManagedProcess(etcdSpec(folder, etcdPort));
        LinkedHashMap<String, TidemarkCommand> brokerCommands = new LinkedHashMap<>();
        for (String name : brokerNames) {
            TidemarkCommand command = new TidemarkCommand(folder, name, size.heap(), links, clocks);
            brokerCommands.put(name, size.tree() ? ofTree(command) : command);
        }
        brokers = Brokers.layOut(brokerCommands, ports);
        Members members = new Members(folder, size, history, ports, links, clocks, other);
        String etcdUrl = "http://etcd:" + etcdPort;
        tree = size.tree() ? Optional.of(Tree.of(members, etcdUrl)) : Optional.empty();
        String source = tree.map(Tree::url).orElse(etcdUrl);
        connectors = new ArrayList<>();
        for (int i = 1; i <= size.connectors(); i++) {
            connectors.add(members.connector("connector-" + i, source, NAME));
        }
        nodes = new ArrayList<>();
        for (int i = 1; i <= size.nodes() + 1; i++) {
            nodes.add(members.slowableNode("node-" + i, NAME));
        }
        slowDisks = members.slowDisks();
        topicTool =
                CleanerStats.tool(
                        links.direct("harness"),
                        bootstrap,
                        Brokers.login(folder, brokerNames, KafkaUser.ADMIN));
        watchdog = new Watchdog(folder);
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAll));
    }

    private static int pickPort(Map<String, Integer> ports, String name) throws IOException {
        int port = Ports.pickFree("127.0.0.1");
        ports.put(name, port);
        return port;
    }

    /** A broker that all Tidemarks of a tree may use. */
    private static TidemarkCommand ofTree(TidemarkCommand broker) {
        String all = NAME + "," + Tree.ROOT + "," + Tree.LEAF;
        return broker.with("--topic", all).with("--group", all);
    }

    private static ProcessSpec etcdSpec(Path folder, int port) throws IOException {
        Path data = folder.toAbsolutePath().resolve("etcd");
        String url = "http://127.0.0.1:" + port;
        return new ProcessSpec(
                "etcd",
                data,
                List.of(
                        EtcdBinary.find().etcd().toString(),
                        "--name=tidemark",
                        "--data-dir=" + data,
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=http://127.0.0.1:0",
                        "--initial-advertise-peer-urls=http://127.0.0.1:2380",
                        "--initial-cluster=tidemark=http://127.0.0.1:2380",
                        "--unsafe-no-fsync"),
                Map.of(),
                "ready to serve client requests");
    }

    /** Starts etcd and the brokers; they are up when it returns. */
    public void startStores() throws IOException, InterruptedException {
        etcd.start();
        for (ManagedProcess broker : brokers) {
            broker.start();
        }
        etcd.awaitReady(READY);
        for (ManagedProcess broker : brokers) {
            broker.awaitReady(READY);
        }
    }

    /** Keeps what etcd holds now, for {@link #restoreEtcd}. */
    public void backUpEtcd() throws IOException, InterruptedException {
        etcd.kill();
        Folders.copy(etcd.data(), backup());
        etcd.start();
        etcd.awaitReady(READY);
    }

    /** Restores etcd's saved state. */
    public void restoreEtcd() throws IOException, InterruptedException {
        etcd.kill();
        etcd.wipe();
        Folders.copy(backup(), etcd.data());
        etcd.start();
        etcd.awaitReady(READY);
    }

    private Path backup() {
        return etcd.data().resolveSibling("etcd-backup");
    }

    /** Members that can run two releases. */
    public List<Member> upgradable() {
        List<Member> members = new ArrayList<>();
        if (other.isPresent()) {
            members.addAll(nodes);
        }
        if (other.filter(OtherRelease::hasConnectors).isPresent()) {
            members.addAll(connectors);
        }
        return members;
    }

    /** Starts the connectors, then all nodes but the spare one, in the other release if any. */
    public void startRest() throws IOException, InterruptedException {
        upgradable().forEach(member -> member.process().setOther(true));
        if (tree.isPresent()) {
            tree.get().startRoot(READY);
        }
        for (Member connector : connectors) {
            connector.process().start();
        }
        for (Member connector : connectors) {
            connector.process().awaitReady(READY);
        }
        CleanerStats.clean(topicTool, history);
        List<Member> first = nodes.subList(0, nodes.size() - 1);
        for (Member node : first) {
            node.process().start();
        }
        for (Member node : first) {
            node.process().awaitReady(READY);
        }
        if (tree.isPresent()) {
            tree.get().startLeaf(READY);
        }
    }

    /** The Tidemarks around this one; empty when its connectors follow etcd. */
    public Optional<Tree> tree() {
        return tree;
    }

    /**
     * All nodes that clients may use: the slots of {@link #nodes()}, then those of other leaves.
     */
    public List<Member> servers() {
        List<Member> servers = new ArrayList<>(nodes);
        tree.ifPresent(others -> servers.addAll(others.leafNodes()));
        return servers;
    }

    /** Those of {@link #servers} whose process is of some kind. */
    public List<Member> servers(Predicate<ManagedProcess> which) {
        return servers().stream().filter(node -> which.test(node.process())).toList();
    }

    /** Between the processes. */
    public Links links() {
        return links;
    }

    /** Of all processes but etcd. */
    public Clocks clocks() {
        return clocks;
    }

    /** Whether the nodes' disks can be slowed down, and that was requested. */
    public boolean canSlowDisks() {
        return !slowDisks.isEmpty();
    }

    /** From now on each access of a node to its disk takes this much longer. */
    public void slowDisk(Member node, Duration by) throws IOException {
        SlowDisk disk = slowDisks.get(node.name());
        if (disk == null) {
            throw new IllegalStateException("the disk of " + node + " cannot be slow");
        }
        disk.slowDown(by);
    }

    public ManagedProcess etcd() {
        return etcd;
    }

    public List<ManagedProcess> brokers() {
        return brokers;
    }

    public String etcdEndpoint() {
        return "http://127.0.0.1:" + etcdPort;
    }

    /** What the cleaner of the topic left. */
    public CleanerStats cleanerStats() throws IOException, InterruptedException {
        return CleanerStats.read(topicTool);
    }

    public List<Member> connectors() {
        return connectors;
    }

    /** All slots for nodes, whether one runs there or not. */
    public List<Member> nodes() {
        return nodes;
    }

    public List<Member> nodes(Predicate<ManagedProcess> which) {
        return nodes.stream().filter(node -> which.test(node.process())).toList();
    }

    /** Leaves all processes running, for inspection. */
    public void leaveRunning() throws IOException {
        watchdog.leaveRunning();
        left = true;
    }

    private void endAll() {
        try {
            if (!left) {
                watchdog.close();
                links.close();
            }
        } catch (IOException e) {
            System.err.println("processes may still be running: " + e);
        }
    }

    @Override
    public void close() {
        endAll();
    }
}
