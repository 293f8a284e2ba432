package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/** A broker, a connector and nodes that read from each other, each a separate process. */
public final class ProcessCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String HOST = "127.0.0.1";
    private static final String SECRET = "known-to-this-test-alone";

    /** Several of them run on one machine, for a short time. */
    private static final String SMALL_HEAP = "384m";

    private final Path folder;
    private final String heap;
    private final List<String> nodeOptions;
    private final Queue<TidemarkProcess> processes = new ConcurrentLinkedQueue<>();
    private final List<TidemarkProcess> nodes = new ArrayList<>();
    private String broker = "";

    private ProcessCluster(Path folder, String heap, List<String> nodeOptions) {
        this.folder = folder;
        this.heap = heap;
        this.nodeOptions = nodeOptions;
    }

    /** Returns when all of them are ready. */
    public static ProcessCluster start(Path folder, String etcd, int nodes, int partitions)
            throws Exception {
        return start(folder, etcd, nodes, partitions, SMALL_HEAP, List.of());
    }

    /**
     * The same.
     *
     * @param heap of each process, as in -Xmx
     * @param nodeOptions further options of nodes
     */
    public static ProcessCluster start(
            Path folder,
            String etcd,
            int nodes,
            int partitions,
            String heap,
            List<String> nodeOptions)
            throws Exception {
        ProcessCluster cluster =
                new ProcessCluster(Files.createDirectories(folder), heap, nodeOptions);
        try {
            cluster.startAll(etcd, nodes, partitions);
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll(String etcd, int count, int partitions) throws Exception {
        int port = Ports.pickFree(HOST);
        broker = HOST + ":" + port;
        String data = folder.resolve("broker").toString();
        start("broker", port, "broker", "--listen", broker, "--data", data);
        try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<TidemarkProcess> connector = together.submit(() -> connector(etcd, partitions));
            List<Future<TidemarkProcess>> starting = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "node-" + i;
                starting.add(together.submit(() -> node(name)));
            }
            for (Future<TidemarkProcess> each : starting) {
                nodes.add(each.get());
            }
            connector.get();
        }
    }

    private TidemarkProcess connector(String etcd, int partitions) throws Exception {
        int port = Ports.pickFree(HOST);
        return start(
                "connector",
                port,
                "connector",
                "--etcd",
                etcd,
                "--kafka",
                broker,
                "--kafka-config",
                kafkaConfig(KafkaUser.CONNECTOR),
                "--partitions",
                Integer.toString(partitions),
                "--listen",
                HOST + ":" + port,
                "--peer-secret",
                SECRET);
    }

    private String kafkaConfig(KafkaUser user) {
        return OwnKafka.config(folder.resolve("broker"), user).toString();
    }

    private TidemarkProcess node(String name) throws Exception {
        int port = Ports.pickFree(HOST);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--kafka",
                                broker,
                                "--kafka-config",
                                kafkaConfig(KafkaUser.NODE),
                                "--data",
                                folder.resolve(name).toString(),
                                "--listen",
                                HOST + ":" + port,
                                "--peer-listen",
                                HOST + ":" + Ports.pickFree(HOST),
                                "--peer-secret",
                                SECRET));
        arguments.addAll(nodeOptions);
        return start(name, port, arguments.toArray(String[]::new));
    }

    private TidemarkProcess start(String name, int port, String... arguments) throws Exception {
        TidemarkProcess started =
                TidemarkProcess.start(
                        port, folder.resolve(name + ".log"), jvm(name), List.of(arguments));
        processes.add(started);
        return started;
    }

    private List<String> jvm(String name) {
        return List.of(
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:gc:file=" + gcLog(name) + ":none:filecount=0");
    }

    /** The garbage collector's log of a process, for example {@code node-0}. */
    public Path gcLog(String name) {
        return folder.resolve(name + "-gc.log");
    }

    public List<TidemarkProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** Any of the nodes. */
    public Api anyNode(SplittableRandom random) {
        return nodes.get(random.nextInt(nodes.size())).api();
    }

    /** A node's data folder. */
    public Path data(int node) {
        return folder.resolve("node-" + node);
    }

    /** Waits until exactly so many replicas exist, and all of them answer. */
    public void awaitReplicas(int expected) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    int ready = 0;
                    int copies = 0;
                    JsonNode status = nodes.getFirst().api().list("/cluster");
                    for (JsonNode node : status.path("nodes")) {
                        for (JsonNode copy : node.path("copies")) {
                            copies++;
                            ready += copy.path("ready").asBoolean() ? 1 : 0;
                        }
                    }
                    return copies == expected && ready == expected;
                });
    }

    /** Waits until every replica has reached a revision. */
    public void awaitShown(long revision) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    boolean all = true;
                    JsonNode status = nodes.getFirst().api().list("/cluster");
                    for (JsonNode node : status.path("nodes")) {
                        for (JsonNode copy : node.path("copies")) {
                            all &= copy.path("watermark").asLong() >= revision;
                        }
                    }
                    return all;
                });
    }

    /** SIGTERM to all nodes at once. */
    public void stopNodes() throws Exception {
        try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> stopping = new ArrayList<>();
            for (TidemarkProcess node : nodes) {
                stopping.add(together.submit(node::stop));
            }
            for (Future<Integer> each : stopping) {
                each.get();
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (TidemarkProcess each : processes) {
            each.close();
        }
    }
}
