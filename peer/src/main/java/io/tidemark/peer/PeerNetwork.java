package io.tidemark.peer;

import io.tidemark.nodeauth.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.peer.cluster.ClusterDirectory;
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
 * This node among the others: offers its own copies, follows theirs, and shows all of them as one
 * directory. Nodes that come and go are noticed by themselves.
 */
public final class PeerNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerNetwork.class);
    private static final Duration LOOK_UP = Duration.ofMillis(200);

    /** For telling the others that this node leaves. */
    private static final Duration TELL = Duration.ofMillis(500);

    private final PeerSettings settings;
    private final Supplier<? extends Set<String>> addresses;
    private final ClusterDirectory directory;
    private final PeerServer server;
    private final NodeClient client;

    /** What the answers of other nodes hold until they are taken apart. */
    private final AnswerBudget memory = AnswerBudget.ofHeap();

    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean leaving;
    private final ConcurrentSkipListMap<HttpAddress, PeerLink> links =
            new ConcurrentSkipListMap<>();

    /**
     * @param local this node's own copies
     * @param addresses advertised ones of all nodes that there are now, as HOST:PORT; this node's
     *     own may be among them
     * @param node what this node says of itself, as JSON; asked for by others
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
        this.client = new NodeClient(settings.secrets());
        this.thread = Thread.ofVirtual().name("peers").unstarted(this::follow);
    }

    /**
     * Begins to listen and to follow; returns at once.
     *
     * @throws RuntimeException when the address cannot be listened on
     */
    public void start() {
        server.start();
        LOG.info(
                "other nodes read at {}, advertised as {}",
                settings.listen().hostPort(),
                settings.advertise().hostPort());
        thread.start();
    }

    /** Every partition, wherever its copies are; valid from the beginning. */
    public PartitionDirectory directory() {
        return directory;
    }

    /**
     * What the other nodes say of themselves, by advertised address; empty for one that does not
     * answer. Takes as long as the slowest, which is bounded.
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

    private static Optional<byte[]> node(PeerLink link) {
        try {
            return Optional.of(link.transport().node());
        } catch (IOException e) {
            LOG.debug("node {} does not say how it is", link.transport().address().hostPort(), e);
            return Optional.empty();
        } catch (InterruptedException _) {
            return Optional.empty();
        }
    }

    /**
     * Tells the other nodes that the copies here will be gone soon, so that they read others. From
     * now on no news of who belongs to the group is taken: this node will not belong to it. Its
     * readers go on with the others that there are.
     *
     * @return whether the others can go on with every partition that can be read now
     */
    public boolean leave() throws InterruptedException {
        leaving = true;
        server.leave(TELL);
        for (int p = 0; p < directory.partitions(); p++) {
            int partition = p;
            PartitionState now = directory.view(p).state();
            if (now.ready()
                    && links.values().stream()
                            .noneMatch(link -> link.canServe(partition, now.epoch()))) {
                return false;
            }
        }
        return !links.isEmpty();
    }

    private void follow() {
        try {
            while (!closing.await(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!leaving) {
                    update(wanted());
                }
                long now = System.nanoTime();
                links.values().forEach(link -> link.checkAlive(now));
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            links.values().forEach(PeerLink::close);
        }
    }

    private Set<HttpAddress> wanted() {
        Set<HttpAddress> wanted = new TreeSet<>();
        for (String address : addresses.get()) {
            try {
                wanted.add(HttpAddress.ofHostPort(address));
            } catch (IllegalArgumentException e) {
                LOG.warn("a node advertises an address that is none: {}", e.getMessage());
            }
        }
        wanted.remove(settings.advertise());
        return wanted;
    }

    private void update(Set<HttpAddress> wanted) {
        if (wanted.equals(links.keySet())) {
            return;
        }
        wanted.stream().filter(each -> !links.containsKey(each)).forEach(this::join);
        List<PeerLink> leaving =
                links.values().stream()
                        .filter(link -> !wanted.contains(link.transport().address()))
                        .toList();
        leaving.forEach(link -> links.remove(link.transport().address()));
        directory.setPeers(List.copyOf(links.values()));
        leaving.forEach(PeerLink::close);
        LOG.info("other nodes: {}", wanted.stream().map(HttpAddress::hostPort).toList());
    }

    private void join(HttpAddress address) {
        PeerLink link = new PeerLink(new PeerTransport(client, address), memory);
        links.put(address, link);
        link.start();
    }

    /** Others see at once that the copies here are gone; then the directory here has none. */
    @Override
    public void close() {
        closing.countDown();
        server.close();
        thread.interrupt();
        client.close();
    }
}
