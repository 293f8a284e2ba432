package io.tidemark.standalone;

import io.tidemark.local.PortInUseException;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.QueryConfig;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.KafkaTarget;
import io.tidemark.standalone.options.MirrorOptions;
import io.tidemark.standalone.options.PeerOptions;
import io.tidemark.standalone.options.ServeOptions;
import io.tidemark.standalone.options.StoreOptions;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node alone. */
@Command(
        name = "node",
        header = "Runs a node alone: keeps its share of the partitions and answers requests.",
        description = {
            "",
            "Nodes with the same --group share the partitions, and read from each other at"
                    + " --peer-listen: any",
            "node answers any request. The folder may be lost: it is rebuilt from the topic,"
                    + " history included.",
            "Prints a line that begins with 'ready' when it answers.",
            "",
            "Examples:",
            "  tidemark node --kafka 127.0.0.1:9092 --listen 127.0.0.1:8080 --data"
                    + " /var/lib/tidemark",
            "  tidemark node --kafka kafka:9092 --listen 0.0.0.0:8080 --peer-listen 0.0.0.0:8081"
                    + " \\",
            "      --peer-secret-file /etc/tidemark/peer-secret",
            ""
        })
final class NodeCommand implements Callable<Integer> {
    @Mixin private KafkaTarget kafka = new KafkaTarget();
    @Mixin private ServeOptions serve = new ServeOptions();
    @Mixin private DataOption data = new DataOption();
    @Mixin private MirrorOptions mirror = new MirrorOptions();
    @Mixin private StoreOptions store = new StoreOptions();
    @Mixin private PeerOptions peer = new PeerOptions();

    @Option(
            names = "--standbys",
            paramLabel = "N",
            description =
                    "Further copies of each partition on other nodes; they answer reads too, and"
                            + " take over at once (default: ${DEFAULT-VALUE}).")
    private int standbys = 1;

    StreamsSettings streams() {
        return store.streams(
                kafka.bootstrapServers(),
                kafka.clientSettings(),
                mirror,
                data.directory().resolve("state"),
                standbys,
                peers().map(peers -> peers.advertise().toString()).orElse(""));
    }

    Optional<PeerSettings> peers() {
        return peer.settings();
    }

    Duration selfCheck() {
        return mirror.selfCheck();
    }

    QueryConfig query() {
        return serve.query(mirror, store);
    }

    @Override
    public Integer call() throws IOException {
        StreamsSettings streams = streams();
        QueryConfig query = query();
        Optional<PeerSettings> peers = peers();
        Screen screen = new Screen(System.out);
        try (Running running = Running.begin()) {
            DataFolder.take(data.directory(), running);
            NodePart node = NodePart.start(streams, query, peers, selfCheck(), running);
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
            return running.awaitDeath();
        } catch (PortInUseException e) {
            throw Failures.portTaken("--listen", e);
        }
    }
}
