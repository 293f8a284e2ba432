package io.tidemark.chaos.process;

import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the connectors and nodes of a run, which may be those of several Tidemarks. */
final class Members {
    private static final String SECRET = "between-the-nodes-of-one-run";
    private static final String HOST = "127.0.0.1";

    private final Path folder;
    private final ClusterSize size;
    private final Duration history;
    private final Map<String, Integer> ports;
    private final Links links;
    private final Clocks clocks;
    private final Optional<OtherRelease> other;
    private final Optional<Path> slowing;
    private final Map<String, SlowDisk> slowDisks = new HashMap<>();

    /**
     * @param history that nodes keep, and the topics
     * @param ports at which each process is called by others
     * @param other the release that connectors and nodes begin with
     */
    Members(
            Path folder,
            ClusterSize size,
            Duration history,
            Map<String, Integer> ports,
            Links links,
            Clocks clocks,
            Optional<OtherRelease> other)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.size = size;
        this.history = history;
        this.ports = ports;
        this.links = links;
        this.clocks = clocks;
        this.other = other;
        this.slowing =
                size.slowDisks() ? SlowDisk.compile(folder.resolve("native")) : Optional.empty();
    }

    /**
     * @param source what it mirrors
     * @param tidemark the name of its topic
     */
    Member connector(String name, String source, String tidemark) throws IOException {
        int port = ports.getOrDefault(name, 0);
        TidemarkCommand command =
                command(name, KafkaUser.CONNECTOR, tidemark)
                        .with("--etcd", source)
                        .with("--listen", HOST + ":" + port)
                        .with("--advertise", name + ":" + port);
        other.filter(OtherRelease::hasConnectors)
                .ifPresent(release -> command.orOther(release, List.of()));
        return new Member(new ManagedProcess(command.spec("connector")), HOST, port);
    }

    /** A node whose disk may be slow, if that was requested. */
    Member slowableNode(String name, String tidemark) throws IOException {
        if (slowing.isEmpty()) {
            return node(name, tidemark);
        }
        SlowDisk disk =
                SlowDisk.of(slowing.get(), folder.resolve(name), folder.resolve(name + ".disk"));
        slowDisks.put(name, disk);
        return node(command(name, KafkaUser.NODE, tidemark).on(disk), name, tidemark);
    }

    /**
     * @param tidemark the name of its topic and group
     */
    Member node(String name, String tidemark) throws IOException {
        return node(command(name, KafkaUser.NODE, tidemark), name, tidemark);
    }

    private Member node(TidemarkCommand command, String name, String tidemark) throws IOException {
        int port = Ports.pickFree(HOST);
        int peerPort = ports.getOrDefault(name, 0);
        command.with("--group", tidemark)
                .with("--listen", HOST + ":" + port)
                .with("--peer-listen", HOST + ":" + peerPort)
                .with("--peer-advertise", name + ":" + peerPort);
        other.ifPresent(release -> command.orOther(release, release.nodeOptions()));
        return new Member(new ManagedProcess(command.withData().spec("node")), HOST, port);
    }

    private TidemarkCommand command(String name, KafkaUser user, String tidemark)
            throws IOException {
        List<String> brokers = Brokers.names(size.brokers());
        TidemarkCommand command =
                new TidemarkCommand(folder, name, size.heap(), links, clocks)
                        .with("--kafka", Brokers.bootstrap(brokers, ports))
                        .with("--history", history.toMillis() + "ms")
                        .with("--topic", tidemark)
                        .with("--peer-secret", SECRET);
        Brokers.login(folder, brokers, user)
                .ifPresent(file -> command.with("--kafka-config", file.toString()));
        return command;
    }

    /** The disks that can be slow, by the names of their nodes. */
    Map<String, SlowDisk> slowDisks() {
        return Map.copyOf(slowDisks);
    }
}
