package io.tidemark.local.kafka;

import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.metadata.storage.Formatter;

/** Formats a broker's data directory, as a KRaft broker requires before its first start. */
public final class KafkaFolder {
    private KafkaFolder() {}

    /**
     * Formats a new directory for a cluster; leaves a formatted one unchanged.
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
