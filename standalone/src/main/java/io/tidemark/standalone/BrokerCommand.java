package io.tidemark.standalone;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import io.tidemark.local.EmbeddedKafka;
import io.tidemark.local.KafkaSettings;
import io.tidemark.local.PortInUseException;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.HostPortConverter;
import io.tidemark.standalone.options.InsecureOption;
import io.tidemark.standalone.options.MemoryOption;
import io.tidemark.standalone.options.StartupRule;
import io.tidemark.standalone.process.DataFolder;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.ShutdownStages;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
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
            "Single-node KRaft broker without replication, for development only. Prints a line",
            "that begins with 'ready' when clients can connect.",
            "",
            "Example:",
            "  tidemark broker --listen 127.0.0.1:9092 --data /tmp/broker",
            ""
        })
final class BrokerCommand implements Callable<Integer> {
    @Mixin private DataOption data = new DataOption();
    @Mixin private InsecureOption insecure = new InsecureOption();
    @Mixin private MemoryOption memory = new MemoryOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description =
                    "Address for clients; port 0 picks a free one. Other than loopback addresses"
                            + " need --insecure (default: ${DEFAULT-VALUE}).")
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

    KafkaSettings settings() {
        if (listen.isWildcard() && advertise == null) {
            throw new UsageException("--listen " + listen + " needs --advertise HOST:PORT");
        }
        return new KafkaSettings(
                data.directory().resolve("kafka"),
                listen.host(),
                listen.port(),
                advertise == null ? "" : advertise.toString(),
                Map.of());
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
        insecure.rule()
                .require(
                        "--listen",
                        listen,
                        InsecureOption.WRITE,
                        new StartupRule.Protection.None());
        memory.report();
        try (ProcessLifecycle running = ProcessLifecycle.begin()) {
            DataFolder.take(data.directory(), running);
            EmbeddedKafka.onFatalError(
                    reason -> running.failed(DataFolder.explain(reason, data.directory())));
            EmbeddedKafka kafka =
                    running.start(
                            ShutdownStages.BROKER,
                            "Kafka broker",
                            () -> EmbeddedKafka.start(settings));
            System.out.println("ready " + kafka.bootstrapServers());
            return running.awaitFailure();
        } catch (PortInUseException e) {
            throw Failures.portTaken("--listen", e);
        }
    }
}
