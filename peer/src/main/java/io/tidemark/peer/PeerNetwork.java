package io.tidemark.peer;

import io.tidemark.address.HostPort;
import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.peer.cluster.ClusterDirectory;
import io.tidemark.peer.link.AnswerBudget;
import io.tidemark.peer.link.PeerConnection;
import io.tidemark.peer.link.PeerLink;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node among its peers: serves its own replicas, tracks theirs, and offers all of them as one
 * directory. Follows the group's membership by itself.
 */
public final class PeerNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerNetwork.class);
    private static final Duration LOOK_UP = Duration.ofMillis(200);

    /** For sending the notice that this node leaves. */
    private static final Duration TELL = Duration.ofMillis(500);

    private final PeerSettings settings;
    private final Supplier<? extends Set<String>> addresses;
    private final ClusterDirectory directory;
    private final PeerServer server;
    private final NodeClient client;

    /** For the other nodes' answers until they are decoded. */
    private final AnswerBudget memory = AnswerBudget.ofHeap();

    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean leaving;
    private final ConcurrentSkipListMap<HttpAddress, PeerConnector> links =
            new ConcurrentSkipListMap<>();

    /**
     * @param local this node's own replicas
     * @param addresses the current nodes' advertised addresses, as HOST:PORT; may include this
     *     node's own
     * @param node this node's report for the others, as JSON
     */
    public PeerNetwork(
            PeerSettings settings,
            PartitionDirectory local,
            Supplier<? extends Set<String>> addresses,
            Supplier<byte[]> node) {
        this.settings = settings;
        this.addresses = addresses;
        this.directory = new ClusterDirectory(local, settings.advertise().hashCode());
        this.server = new PeerServer(settings, local, node);
        this.client = new NodeClient(settings.secrets(), settings.tls());
        this.thread = Thread.ofVirtual().name("peers").unstarted(this::follow);
    }

    /**
     * Starts to listen and to track the other nodes; returns at once.
     *
     * @throws RuntimeException when the address cannot be listened on
     */
    public void start() {
        server.start();
        LOG.info(
                "internal listener for other nodes: {}, advertised as {}, peer versions {}",
                settings.listen().hostPort(),
                settings.advertise().hostPort(),
                settings.versions().announcement());
        thread.start();
    }

    /** All partitions, with replicas on any node; valid before {@link #start}. */
    public PartitionDirectory directory() {
        return directory;
    }

    /**
     * The other nodes' reports by advertised address; empty for a node that does not answer. Takes
     * as long as the slowest, at most {@link PeerTransport#ANSWER}.
     */
    public Map<String, Optional<byte[]>> nodes() throws InterruptedException {
        Map<String, Optional<byte[]>> answers = new TreeMap<>();
        List<Thread> asking =
                links.values().stream()
                        .map(link ->
                                Thread.ofVirtual()
                                        .start(() -> {
                                            Optional<byte[]> answer = node(link);
                                            synchronized (answers) {
                                                answers.put(
                                                        link.transport().address().hostPort(),
                                                        answer);
                                            }
                                        }))
                        .toList();
        for (Thread each : asking) {
            each.join();
        }
        return answers;
    }

    /** The connections to the other nodes, by advertised address. */
    public Map<String, PeerConnection> connections() {
        Map<String, PeerConnection> connections = new TreeMap<>();
        links.forEach(
                (address, link) -> connections.put(address.hostPort(), link.link().connection()));
        return connections;
    }

    private static Optional<byte[]> node(PeerConnector link) {
        try {
            return Optional.of(link.transport().node());
        } catch (IOException e) {
            LOG.debug("node {} sent no report", link.transport().address().hostPort(), e);
            return Optional.empty();
        } catch (InterruptedException _) {
            return Optional.empty();
        }
    }

    /**
     * Notifies the other nodes that this node leaves, so that they read other replicas. From now on
     * this node ignores membership changes, which will exclude it; its readers continue with the
     * nodes known now.
     *
     * @return whether the others can serve every partition that can be read now
     */
    public boolean leave() throws InterruptedException {
        leaving = true;
        server.leave(TELL);
        for (int p = 0; p < directory.partitions(); p++) {
            int partition = p;
            PartitionState now = directory.view(p).state();
            if (now.ready()
                    && links.values().stream()
                            .noneMatch(link -> link.link().canServe(partition, now.epoch()))) {
                return false;
            }
        }
        return !links.isEmpty();
    }

    private void follow() {
        try {
            while (!closing.await(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS)) {
                followOnce();
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            links.values().forEach(PeerConnector::close);
        }
    }

    /** The next round tries again what a bug has prevented. */
    private void followOnce() {
        try {
            if (!leaving) {
                update(members());
            }
            links.values().forEach(each -> each.link().checkAlive());
        } catch (RuntimeException e) {
            LOG.error("a bug: the other nodes could not be looked up", e);
        }
    }

    private Set<HttpAddress> members() {
        Set<HttpAddress> members = new TreeSet<>();
        for (String address : addresses.get()) {
            try {
                members.add(settings.addressOf(HostPort.parse(address)));
            } catch (IllegalArgumentException e) {
                LOG.warn("a node advertises an invalid address, not read: {}", e.getMessage());
            }
        }
        members.remove(settings.advertise());
        return members;
    }

    private void update(Set<HttpAddress> members) {
        if (members.equals(links.keySet())) {
            return;
        }
        members.stream().filter(each -> !links.containsKey(each)).forEach(this::join);
        List<PeerConnector> leaving =
                links.values().stream()
                        .filter(link -> !members.contains(link.transport().address()))
                        .toList();
        leaving.forEach(link -> links.remove(link.transport().address()));
        directory.setPeers(links.values().stream().map(PeerConnector::link).toList());
        leaving.forEach(PeerConnector::close);
        LOG.info("other nodes: {}", members.stream().map(HttpAddress::hostPort).toList());
    }

    private void join(HttpAddress address) {
        PeerTransport transport = new PeerTransport(client, address, settings.versions());
        PeerConnector link =
                new PeerConnector(transport, new PeerLink(transport, memory, System::nanoTime));
        links.put(address, link);
        link.start();
    }

    /** The other nodes see this node's replicas disappear at once; the directory is empty then. */
    @Override
    public void close() {
        closing.countDown();
        server.close();
        thread.interrupt();
        client.close();
    }
}
