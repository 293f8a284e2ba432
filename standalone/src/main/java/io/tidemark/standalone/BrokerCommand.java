package io.tidemark.standalone;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.local.PortInUseException;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.local.kafka.KafkaTls;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.HostPortConverter;
import io.tidemark.standalone.options.MemoryOption;
import io.tidemark.standalone.options.security.BrokerTlsOptions;
import io.tidemark.standalone.options.security.InsecureOption;
import io.tidemark.standalone.part.OwnBroker;
import io.tidemark.standalone.process.DataFolder;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.ShutdownStages;
import io.tidemark.standalone.screen.Failures;
import io.tidemark.streams.StreamsSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.common.acl.AclBinding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark broker}: the embedded broker alone. */
@Command(
        name = "broker",
        header = "Runs a single-node Kafka broker, to try several processes on one machine.",
        description = {
            "",
            "Single-node KRaft broker without replication, for development only. Clients log in"
                    + " with the files that",
            "it makes in kafka-clients/ in the data folder, for --kafka-config: each may do what"
                    + " its process needs,",
            "and admin.properties everything. Prints a line that begins with 'ready' when clients"
                    + " can connect.",
            "",
            "Examples:",
            "  tidemark broker --listen 127.0.0.1:9092 --data /tmp/broker",
            "  tidemark node --kafka 127.0.0.1:9092 \\",
            "      --kafka-config /tmp/broker/kafka-clients/node.properties --peer-secret-file"
                    + " peer-secret",
            ""
        })
final class BrokerCommand implements Callable<Integer> {
    @Mixin private DataOption data = new DataOption();
    @Mixin private InsecureOption insecure = new InsecureOption();
    @Mixin private MemoryOption memory = new MemoryOption();
    @Mixin private BrokerTlsOptions tls = new BrokerTlsOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description =
                    "Address for clients; port 0 picks a free one. Other than loopback addresses"
                            + " need --tls-cert, or --insecure (default: ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("127.0.0.1", 9092);

    @Option(
            names = "--advertise",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = {
                "Address at which clients connect, if it differs from --listen; needed with",
                "--listen 0.0.0.0:PORT."
            })
    private @Nullable HostPort advertise;

    @Option(
            names = "--topic",
            split = ",",
            paramLabel = "NAME[,NAME...]",
            description =
                    "Mirror topics that connectors may write and nodes may read (default:"
                            + " ${DEFAULT-VALUE}).")
    private List<String> topics = List.of(TopicSettings.DEFAULT.name());

    @Option(
            names = "--group",
            split = ",",
            paramLabel = "NAME[,NAME...]",
            description = "Consumer groups that nodes may join (default: ${DEFAULT-VALUE}).")
    private List<String> groups = List.of(StreamsSettings.DEFAULT_APPLICATION_ID);

    /** The rights of connectors and nodes. */
    Set<AclBinding> rights() {
        return UsageException.unlessValid(() -> OwnBroker.rights(topics, groups));
    }

    KafkaTls tls() {
        return tls.tls();
    }

    /** Without the users, whose passwords are read or made at the start. */
    KafkaSettings settings() {
        if (listen.isWildcard() && advertise == null) {
            throw new UsageException("--listen " + listen + " needs --advertise HOST:PORT");
        }
        return new KafkaSettings(
                data.directory().resolve("kafka"),
                listen.host(),
                listen.port(),
                advertise == null ? "" : advertise.toString(),
                Map.of(),
                Optional.empty());
    }

    boolean isInsecure() {
        return insecure.isGiven();
    }

    MemoryOption memory() {
        return memory;
    }

    @Override
    public Integer call() throws IOException {
        KafkaSettings settings = settings();
        insecure.rule().require("--listen", listen, InsecureOption.OVERHEAR, tls.protection());
        KafkaTls listenerTls = tls();
        Set<AclBinding> rights = rights();
        memory.report();
        try (ProcessLifecycle running = ProcessLifecycle.begin()) {
            DataFolder.take(data.directory(), running);
            EmbeddedKafka.onFatalError(
                    reason -> running.failed(DataFolder.explain(reason, data.directory())));
            EmbeddedKafka kafka =
                    running.start(
                            ShutdownStages.BROKER,
                            "Kafka broker",
                            () ->
                                    EmbeddedKafka.start(
                                            settings.withAccess(
                                                    OwnBroker.access(
                                                            data.directory(),
                                                            listenerTls,
                                                            rights))));
            System.out.println(
                    "clients log in with the files in " + OwnBroker.clients(data.directory()));
            System.out.println("ready " + kafka.bootstrapServers());
            return running.awaitFailure();
        } catch (PortInUseException e) {
            throw Failures.portTaken("--listen", e);
        }
    }
}
