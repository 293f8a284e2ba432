package io.tidemark.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.metadata.storage.Formatter;

/** A broker's data directory, which must say whose it is before a broker starts in it. */
public final class KafkaFolder {
    private KafkaFolder() {}

    /**
     * Makes a new directory one of a cluster; one that is in use keeps what it is.
     *
     * @param nodeId of the broker, unique in its cluster
     * @param clusterId the same for all brokers of a cluster
     * @throws IOException if it cannot be written, or holds something else
     */
    public static void format(Path directory, int nodeId, String clusterId) throws IOException {
        PrivateFolder.make(directory);
        if (Files.exists(directory.resolve("meta.properties"))) {
            return;
        }
        String folder = directory.toAbsolutePath().toString();
        try {
            new Formatter()
                    .setNodeId(nodeId)
                    .setClusterId(clusterId)
                    .addDirectory(folder)
                    .setMetadataLogDirectory(folder)
                    .setControllerListenerName("CONTROLLER")
                    .setIgnoreFormatted(true)
                    .setPrintStream(
                            new PrintStream(
                                    OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .run();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot format " + directory + " for Kafka", e);
        }
    }
}
