package io.tidemark.standalone;

import io.tidemark.address.HostPort;
import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.ConnectorStatus;
import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.local.PortInUseException;
import io.tidemark.standalone.options.ConnectorOptions;
import io.tidemark.standalone.options.HostPortConverter;
import io.tidemark.standalone.options.KafkaTarget;
import io.tidemark.standalone.options.MemoryOption;
import io.tidemark.standalone.options.MirrorOptions;
import io.tidemark.standalone.options.OtlpOptions;
import io.tidemark.standalone.options.SourceTarget;
import io.tidemark.standalone.options.security.AllowedHostOption;
import io.tidemark.standalone.options.security.InsecureOption;
import io.tidemark.standalone.options.security.PeerSecretOptions;
import io.tidemark.standalone.options.security.PeerTlsOptions;
import io.tidemark.standalone.part.ConnectorPart;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.screen.Failures;
import io.tidemark.standalone.screen.Progress;
import io.tidemark.standalone.screen.Screen;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark connector}: the connector alone. */
@Command(
        name = "connector",
        header = "Runs the connector alone: mirrors an etcd prefix into a Kafka topic.",
        description = {
            "",
            "Keeps nothing on disk: it resumes from the end of the topic. Any number may run: one"
                    + " leads and",
            "writes, the others are on standby and take over within seconds. Prints a line that"
                    + " begins with",
            "'ready' when it follows etcd or is on standby.",
            "",
            "Examples:",
            "  tidemark connector --etcd http://127.0.0.1:2379 --kafka 127.0.0.1:9092 \\",
            "      --peer-secret-file peer-secret",
            "  tidemark connector --etcd https://etcd-1:2379,https://etcd-2:2379 --etcd-ca ca.pem"
                    + " \\",
            "      --etcd-cert client.pem --etcd-key client-key.pem --kafka kafka:9093 \\",
            "      --kafka-config kafka.properties --listen 0.0.0.0:8090 --insecure \\",
            "      --advertise connector:8090 --peer-secret-file /etc/tidemark/peer-secret",
            ""
        })
final class ConnectorCommand implements Callable<Integer> {
    @Mixin private SourceTarget etcd = new SourceTarget();
    @Mixin private KafkaTarget kafka = new KafkaTarget();
    @Mixin private MirrorOptions mirror = new MirrorOptions();
    @Mixin private ConnectorOptions feed = new ConnectorOptions();
    @Mixin private PeerSecretOptions secret = new PeerSecretOptions();
    @Mixin private PeerTlsOptions links = new PeerTlsOptions();
    @Mixin private InsecureOption insecure = new InsecureOption();
    @Mixin private OtlpOptions otlp = new OtlpOptions();
    @Mixin private MemoryOption memory = new MemoryOption();
    @Mixin private AllowedHostOption allowed = new AllowedHostOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description =
                    "Address for barriers, health and metrics; port 0 picks a free one. Other than"
                            + " loopback addresses need --peer-tls-cert, or --insecure (default:"
                            + " ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("127.0.0.1", 8090);

    @Option(
            names = "--advertise",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = {
                "Address at which nodes reach this connector (default: the --listen address, or"
                        + " this",
                "machine's own address when it listens on all)."
            })
    private @Nullable HostPort advertise;

    ConnectorConfig config() {
        return feed.connector(
                        etcd.source(),
                        kafka.bootstrapServers(),
                        kafka.clientSettings(),
                        mirror,
                        listen,
                        advertise == null ? "" : "http://" + advertise,
                        true)
                .withAllowedHosts(allowed.hosts())
                .withPeerSecrets(secret.required())
                .withTls(links.tls())
                .withOtlp(otlp.settings());
    }

    boolean isInsecure() {
        return insecure.isGiven();
    }

    MemoryOption memory() {
        return memory;
    }

    @Override
    public Integer call() throws IOException {
        insecure.rule().require("--listen", listen, InsecureOption.CONTROL, links.protection());
        mirror.requireSecretKeys(insecure.rule());
        ConnectorConfig config = config();
        Screen screen = new Screen(System.out);
        memory.report();
        try (ProcessLifecycle running = ProcessLifecycle.begin()) {
            Connector connector = ConnectorPart.start(config, running);
            boolean ready =
                    running.await(() -> {
                        ConnectorStatus status = connector.status();
                        screen.say("connector", Progress.of(status));
                        return status.phase() == Phase.FOLLOWING || status.phase() == Phase.STANDBY;
                    });
            if (ready) {
                ConnectorStatus status = connector.status();
                screen.say(
                        "ready",
                        "%s://%s %s"
                                .formatted(
                                        config.tls().isPresent() ? "https" : "http",
                                        new HostPort(listen.host(), connector.port()),
                                        status.phase() == Phase.STANDBY
                                                ? "on standby"
                                                : "at revision " + status.revision()));
            }
            return running.awaitFailure();
        } catch (PortInUseException e) {
            throw Failures.portTaken("--listen", e);
        }
    }
}
