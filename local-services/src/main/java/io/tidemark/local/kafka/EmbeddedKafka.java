package io.tidemark.local.kafka;

import io.tidemark.local.PortInUseException;
import io.tidemark.local.Ports;
import java.io.IOException;
import java.net.BindException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Properties;
import java.util.function.Consumer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single-node KRaft cluster, combined broker and controller, in this JVM. Its data directory is
 * an ordinary Kafka log directory, which keeps the topics across restarts. All its threads are
 * daemons or joined by {@link #close}.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

    static final int NODE_ID = 1;

    /** Start attempts, as another process may bind a free port first. */
    private static final int PORT_ATTEMPTS = 5;

    private final KafkaRaftServer server;
    private final String bootstrapServers;
    private final int port;
    private final int controllerPort;
    private boolean closed;

    private EmbeddedKafka(
            KafkaRaftServer server, String bootstrapServers, int port, int controllerPort) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
        this.port = port;
        this.controllerPort = controllerPort;
    }

    /**
     * Formats the data directory if it is new, starts, and returns when clients can connect (about
     * 2 seconds).
     *
     * @throws PortInUseException if the requested port is in use
     * @throws IOException if the broker cannot start in this directory
     */
    public static EmbeddedKafka start(KafkaSettings settings) throws IOException {
        if (settings.port() != 0) {
            Ports.requireFree(settings.host(), settings.port());
        }
        for (int attempt = 1; ; attempt++) {
            int port = settings.port() == 0 ? Ports.pickFree(settings.host()) : settings.port();
            int controllerPort = Ports.pickFree("127.0.0.1");
            try {
                return startOn(settings, port, controllerPort);
            } catch (IOException e) {
                if (attempt == PORT_ATTEMPTS || !isBindFailure(e)) {
                    throw e;
                }
                LOG.debug("port {} or {} was bound meanwhile; retrying", port, controllerPort);
            }
        }
    }

    /**
     * Sets the listener for fatal errors of this JVM's brokers, such as a full disk. Without a
     * listener, a fatal error exits the JVM, as in a standalone broker.
     *
     * @param listener receives the reason; the broker's log has details
     */
    public static void onFatalError(Consumer<String> listener) {
        Exit.Procedure notify =
                (code, message) ->
                        listener.accept("the Kafka broker failed (code " + code + "): " + message);
        Exit.setExitProcedure(notify);
        Exit.setHaltProcedure(notify);
    }

    private static EmbeddedKafka startOn(KafkaSettings settings, int port, int controllerPort)
            throws IOException {
        Properties properties = settings.brokerProperties(port, controllerPort);
        KafkaFolder.format(settings.dataDirectory(), NODE_ID, Uuid.randomUuid().toString());
        KafkaRaftServer server = null;
        try {
            server = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
            server.startup();
            if (settings.access().isPresent()) {
                KafkaRights.set(settings.advertised(port), settings.access().get());
            }
            return new EmbeddedKafka(server, settings.advertised(port), port, controllerPort);
        } catch (RuntimeException | IOException e) {
            if (server != null) {
                server.shutdown();
                server.awaitShutdown();
            }
            throw new IOException(
                    "the embedded Kafka broker did not start in "
                            + settings.dataDirectory()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static boolean isBindFailure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException || cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    /** HOST:PORT for clients. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The listening port. */
    public int port() {
        return port;
    }

    /** The loopback port of the controller, for tests. */
    int controllerPort() {
        return controllerPort;
    }

    /** Waits until the broker has stopped, by {@link #close} or after a failure. */
    public void awaitTermination() {
        server.awaitShutdown();
    }

    /** Stops the broker and waits for it; within a second unless clients hold long requests. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        server.shutdown();
        server.awaitShutdown();
    }
}
