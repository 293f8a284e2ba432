package io.tidemark.chaos.process;

import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * etcd, brokers, connectors and nodes, each a separate process on free loopback ports that it keeps
 * over its restarts. There is one node slot more than nodes, for the one that is added.
 */
public final class Cluster implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(5);
    private static final String SECRET = "between-the-nodes-of-one-run";

    private final ManagedProcess etcd;
    private final List<ManagedProcess> brokers;
    private final List<Member> connectors;
    private final List<Member> nodes;
    private final int etcdPort;
    private final List<String> topicTool;
    private final Duration history;
    private final Links links;
    private final Clocks clocks;
    private final Map<String, SlowDisk> slowDisks = new HashMap<>();
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
        for (int i = 1; i <= size.connectors(); i++) {
            pickPort(ports, "connector-" + i);
        }
        for (int i = 1; i <= size.nodes() + 1; i++) {
            pickPort(ports, "node-" + i);
        }
        this.history = history;
        links = new Links(folder, ports, size.proxied());
        clocks = new Clocks(folder, size.clocks());
        Optional<Path> slowing =
                size.slowDisks() ? SlowDisk.compile(folder.resolve("native")) : Optional.empty();
        etcd = new ManagedProcess(etcdSpec(folder, etcdPort));
        LinkedHashMap<String, TidemarkCommand> brokerCommands = new LinkedHashMap<>();
        for (String name : brokerNames) {
            brokerCommands.put(name, new TidemarkCommand(folder, name, size.heap(), links, clocks));
        }
        brokers = Brokers.layOut(brokerCommands, ports);
        connectors = new ArrayList<>();
        nodes = new ArrayList<>();
        for (Map.Entry<String, Integer> each : ports.entrySet()) {
            String name = each.getKey();
            if (name.equals("etcd") || brokerNames.contains(name)) {
                continue;
            }
            TidemarkCommand command =
                    new TidemarkCommand(folder, name, size.heap(), links, clocks)
                            .with("--kafka", bootstrap)
                            .with("--history", history.toMillis() + "ms");
            KafkaUser user = name.startsWith("node") ? KafkaUser.NODE : KafkaUser.CONNECTOR;
            Brokers.login(folder, brokerNames, user)
                    .ifPresent(file -> command.with("--kafka-config", file.toString()));
            if (name.startsWith("node")) {
                if (slowing.isPresent()) {
                    SlowDisk disk =
                            SlowDisk.of(
                                    slowing.get(),
                                    folder.resolve(name),
                                    folder.resolve(name + ".disk"));
                    slowDisks.put(name, disk);
                    command.on(disk);
                }
                nodes.add(node(command, name, each.getValue()));
            } else {
                connectors.add(connector(command, name, each.getValue()));
            }
        }
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

    private Member connector(TidemarkCommand command, String name, int port) {
        command.with("--etcd", "http://etcd:" + etcdPort)
                .with("--listen", "127.0.0.1:" + port)
                .with("--advertise", name + ":" + port)
                .with("--peer-secret", SECRET);
        other.filter(OtherRelease::hasConnectors)
                .ifPresent(release -> command.orOther(release, List.of()));
        return new Member(new ManagedProcess(command.spec("connector")), "127.0.0.1", port);
    }

    private Member node(TidemarkCommand command, String name, int peerPort) throws IOException {
        int port = Ports.pickFree("127.0.0.1");
        command.with("--listen", "127.0.0.1:" + port)
                .with("--peer-listen", "127.0.0.1:" + peerPort)
                .with("--peer-advertise", name + ":" + peerPort)
                .with("--peer-secret", SECRET);
        other.ifPresent(release -> command.orOther(release, release.nodeOptions()));
        return new Member(new ManagedProcess(command.withData().spec("node")), "127.0.0.1", port);
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
