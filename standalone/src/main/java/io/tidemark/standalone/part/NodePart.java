package io.tidemark.standalone.part;

import io.tidemark.address.HostPort;
import io.tidemark.connector.Connector;
import io.tidemark.credentials.MutualTls;
import io.tidemark.local.Ports;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.PeerNetwork;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNode;
import io.tidemark.selfcheck.HttpEtcdDigestSource;
import io.tidemark.selfcheck.SelfCheckThread;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.freshness.HttpBarrierSource;
import io.tidemark.standalone.options.DescriptorBudget;
import io.tidemark.standalone.process.DescriptorLimitCheck;
import io.tidemark.standalone.process.GracefulShutdown;
import io.tidemark.standalone.process.HealthProbe;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.ShutdownStages;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsNode;
import io.tidemark.streams.StreamsSettings;
import io.tidemark.view.PartitionDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node as a part of this process: the stores, and the HTTP servers over them.
 *
 * @param url for clients on this machine
 */
public record NodePart(StreamsNode streams, QueryNode query, String url) {
    /** This goes on for as long as the node runs, also at rest. */
    private static final Duration FAILURE_CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * @param secrets authenticate this node to connectors
     * @param tls between the members of the group; empty for plain HTTP
     * @param local the connector of this process, if it has one
     * @param selfCheck how often its replicas are compared with etcd; zero for never
     * @throws io.tidemark.local.PortInUseException if its address is in use
     */
    public static NodePart start(
            StreamsSettings settings,
            QueryConfig config,
            PeerSecrets secrets,
            Optional<MutualTls> tls,
            Optional<Connector> local,
            Optional<PeerSettings> peers,
            Duration selfCheck,
            ProcessLifecycle running)
            throws IOException {
        DescriptorLimitCheck.require(DescriptorBudget.ofThisProcess(), config.connections());
        if (config.port() != 0) {
            Ports.requireFree(config.host(), config.port());
        }
        if (peers.isPresent()) {
            Ports.requireFree(peers.get().listen().host(), peers.get().listen().port());
        }
        NodeClient connectors =
                running.start(
                        ShutdownStages.PIPELINE,
                        "client of connectors",
                        () -> new NodeClient(secrets, tls));
        StreamsNode streams =
                running.start(
                        ShutdownStages.PIPELINE,
                        "stores",
                        () -> {
                            StreamsNode made = new StreamsNode(settings, connectors);
                            made.start();
                            return made;
                        });
        AtomicReference<@Nullable QueryNode> answering = new AtomicReference<>();
        NodeReport report = new NodeReport(streams, peers, connectors);
        PartitionDirectory directory = streams.directory();
        Optional<PeerNetwork> others = Optional.empty();
        if (peers.isPresent()) {
            PeerNetwork started =
                    network(peers.get(), streams, () -> status(answering, report), running);
            report.setPeers(started);
            directory = started.directory();
            others = Optional.of(started);
        }
        report.setSelfCheck(selfCheck(streams, connectors, selfCheck, running));
        PartitionDirectory all = directory;
        BarrierSource remote = new HttpBarrierSource(connectors, config.times().freshness());
        BarrierSource barriers =
                local.<BarrierSource>map(connector ->
                                new LocalBarrierSource(
                                        connector::address, connector::barrier, remote))
                        .orElse(remote);
        Optional<PeerNetwork> network = others;
        GracefulShutdown serving =
                running.start(
                        ShutdownStages.HTTP,
                        "HTTP",
                        () -> {
                            QueryNode made = new QueryNode(config, all, report, barriers);
                            tls.ifPresent(made::showGroupCertificate);
                            made.start();
                            return new GracefulShutdown(made, streams, network);
                        });
        QueryNode query = serving.query();
        answering.set(query);
        NodePart node = new NodePart(streams, query, url(config, query));
        Thread.ofVirtual().name("node-end").start(() -> node.awaitFailure(running));
        return node;
    }

    private static SelfCheckThread selfCheck(
            StreamsNode streams, NodeClient connectors, Duration interval, ProcessLifecycle running)
            throws IOException {
        HttpEtcdDigestSource source = new HttpEtcdDigestSource(connectors);
        return running.start(
                ShutdownStages.HTTP,
                "self-check",
                () -> {
                    SelfCheckThread made = new SelfCheckThread(streams.copies(), source, interval);
                    made.start();
                    return made;
                });
    }

    private static byte[] status(
            AtomicReference<@Nullable QueryNode> answering, NodeReport report) {
        QueryNode query = answering.get();
        return (query == null ? report.self("", 0) : query.status()).toJson();
    }

    private static PeerNetwork network(
            PeerSettings settings,
            StreamsNode streams,
            Supplier<byte[]> status,
            ProcessLifecycle running)
            throws IOException {
        return running.start(
                ShutdownStages.PIPELINE,
                "peers",
                () -> {
                    PeerNetwork made =
                            new PeerNetwork(
                                    settings,
                                    streams.directory(),
                                    streams::advertisedNodes,
                                    status);
                    made.start();
                    return made;
                });
    }

    private void awaitFailure(ProcessLifecycle running) {
        if (running.await(
                () -> progress().phase() == NodeProgress.Phase.FAILED, FAILURE_CHECK_INTERVAL)) {
            running.failed("the node failed: " + progress().detail());
        }
    }

    private static String url(QueryConfig config, QueryNode query) {
        int port = Integer.parseInt(query.url().replaceFirst(".*:", ""));
        HostPort listen = new HostPort(config.host(), port);
        String scheme = config.tls().isPresent() ? "https://" : "http://";
        return scheme + (listen.isWildcard() ? new HostPort("127.0.0.1", port) : listen);
    }

    public NodeProgress progress() {
        return streams.progress();
    }

    /** Whether {@code /readyz} answers 200. */
    public boolean isReady() {
        return progress().phase() == NodeProgress.Phase.RUNNING
                && HealthProbe.failure(url + "/readyz").isEmpty();
    }

    /** Whether all partitions here have applied every change through the revision. */
    public boolean covers(long revision) {
        PartitionDirectory directory = streams.directory();
        for (int partition = 0; partition < directory.partitions(); partition++) {
            if (directory.view(partition).state().watermark() < revision) {
                return false;
            }
        }
        return directory.partitions() > 0 && query.servesResourcesThrough(revision);
    }
}
