package io.tidemark.standalone;

import io.tidemark.address.HostPort;
import io.tidemark.credentials.MutualTls;
import io.tidemark.local.PortInUseException;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.QueryConfig;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.KafkaTarget;
import io.tidemark.standalone.options.MirrorOptions;
import io.tidemark.standalone.options.OtlpOptions;
import io.tidemark.standalone.options.PeerOptions;
import io.tidemark.standalone.options.ServeOptions;
import io.tidemark.standalone.options.StoreOptions;
import io.tidemark.standalone.options.security.InsecureOption;
import io.tidemark.standalone.options.security.PeerSecretOptions;
import io.tidemark.standalone.options.security.PeerTlsOptions;
import io.tidemark.standalone.options.security.StartupRule;
import io.tidemark.standalone.part.NodePart;
import io.tidemark.standalone.process.DataFolder;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.screen.Failures;
import io.tidemark.standalone.screen.Progress;
import io.tidemark.standalone.screen.Screen;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark node}: a node alone. */
@Command(
        name = "node",
        header = "Runs a node alone: stores its share of the partitions and serves requests.",
        description = {
            "",
            "Nodes with the same --group share the partitions, and read from each other at"
                    + " --peer-listen: any",
            "node answers any request. A lost data folder is rebuilt from the topic, history"
                    + " included.",
            "Prints a line that begins with 'ready' when it serves requests.",
            "",
            "Examples:",
            "  tidemark node --kafka 127.0.0.1:9092 --listen 127.0.0.1:8080 --data"
                    + " /var/lib/tidemark \\",
            "      --peer-secret-file /etc/tidemark/peer-secret",
            "  tidemark node --kafka kafka:9092 --listen 10.0.0.7:8080 --peer-listen 10.0.0.7:8081"
                    + " \\",
            "      --peer-secret-file /etc/tidemark/peer-secret --insecure",
            ""
        })
final class NodeCommand implements Callable<Integer> {
    @Mixin private KafkaTarget kafka = new KafkaTarget();
    @Mixin private ServeOptions serve = new ServeOptions();
    @Mixin private DataOption data = new DataOption();
    @Mixin private MirrorOptions mirror = new MirrorOptions();
    @Mixin private StoreOptions store = new StoreOptions();
    @Mixin private PeerOptions peer = new PeerOptions();
    @Mixin private PeerSecretOptions secret = new PeerSecretOptions();
    @Mixin private PeerTlsOptions links = new PeerTlsOptions();
    @Mixin private InsecureOption insecure = new InsecureOption();
    @Mixin private OtlpOptions otlp = new OtlpOptions();

    @Option(
            names = "--standbys",
            paramLabel = "N",
            description =
                    "Standby replicas of each partition on other nodes; they serve reads too, and"
                            + " take over at once (default: ${DEFAULT-VALUE}).")
    private int standbys = 1;

    StreamsSettings streams() {
        return store.streams(
                kafka.bootstrapServers(),
                kafka.clientSettings(),
                mirror,
                data.directory().resolve("state"),
                standbys,
                peer.advertised());
    }

    PeerSecrets secrets() {
        return secret.required();
    }

    Optional<MutualTls> tls() {
        return links.tls();
    }

    Optional<PeerSettings> peers(PeerSecrets secrets, Optional<MutualTls> tls) {
        return peer.settings(secrets, tls);
    }

    Duration selfCheck() {
        return mirror.selfCheck();
    }

    QueryConfig query() {
        QueryConfig config = serve.query(mirror, store, data.directory()).withOtlp(otlp.settings());
        // /cluster reports a URL with this host name.
        return peer.advertisedHost()
                .map(List::of)
                .map(names -> config.withAllowedHosts(config.allowedHosts().and(names)))
                .orElse(config);
    }

    boolean isInsecure() {
        return insecure.isGiven();
    }

    private void requireConsent() {
        StartupRule rule = insecure.rule();
        serve.require(rule, mirror);
        mirror.requireSecretKeys(rule);
        peer.listen()
                .ifPresent(listen ->
                        rule.require(
                                "--peer-listen", listen, InsecureOption.READ, links.protection()));
    }

    @Override
    public Integer call() throws IOException {
        StreamsSettings streams = streams();
        QueryConfig query = query();
        requireConsent();
        PeerSecrets secrets = secrets();
        Optional<MutualTls> tls = tls();
        Optional<PeerSettings> peers = peers(secrets, tls);
        Screen screen = new Screen(System.out);
        store.memory().report();
        try (ProcessLifecycle running = ProcessLifecycle.begin()) {
            DataFolder.take(data.directory(), running);
            NodePart node =
                    NodePart.start(
                            streams,
                            query,
                            secrets,
                            tls,
                            Optional.empty(),
                            peers,
                            selfCheck(),
                            running);
            Progress progress = new Progress();
            boolean ready =
                    running.await(() -> {
                        NodeProgress now = node.progress();
                        screen.say("node", progress.of(now, System.nanoTime()));
                        return node.isReady();
                    });
            if (ready) {
                screen.say("ready", node.url());
            }
            return running.awaitFailure();
        } catch (PortInUseException e) {
            throw Failures.portTaken(optionOf(e), e);
        }
    }

    /** Both options may name the same port of different addresses. */
    private String optionOf(PortInUseException taken) {
        HostPort address = new HostPort(taken.host(), taken.port());
        return !address.equals(serve.listen()) && peer.listen().isPresent()
                ? "--peer-listen"
                : "--listen";
    }
}
