package io.tidemark.standalone.options;

import io.tidemark.store.IndexSettings;
import io.tidemark.streams.StreamsSettings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** How a node keeps its partitions. */
public final class StoreOptions {
    @Option(
            names = "--group",
            paramLabel = "NAME",
            description =
                    "Consumer group; nodes of one group share the partitions"
                            + " (default: ${DEFAULT-VALUE}).")
    private String group = StreamsSettings.DEFAULT_APPLICATION_ID;

    @Option(
            names = "--history-bytes",
            paramLabel = "BYTES",
            description = {
                "Most bytes of history of one partition on disk; above it the oldest goes early",
                "(default: ${DEFAULT-VALUE})."
            })
    private long historyBytes = StreamsSettings.DEFAULT_MAX_HISTORY_BYTES;

    @Option(
            names = "--cache-bytes",
            paramLabel = "BYTES",
            description =
                    "Memory outside the heap for what is read from disk (default:"
                            + " ${DEFAULT-VALUE}).")
    private long cacheBytes = StreamsSettings.DEFAULT_BLOCK_CACHE_BYTES;

    @Option(
            names = "--write-buffer-bytes",
            paramLabel = "BYTES",
            description =
                    "How much of that may be changes not yet on disk (default: ${DEFAULT-VALUE}).")
    private long writeBufferBytes = StreamsSettings.DEFAULT_WRITE_BUFFER_BYTES;

    @Option(
            names = "--index-label",
            split = ",",
            paramLabel = "LABEL",
            description =
                    "Labels to index, separated by commas: selectors on them look no further.")
    private List<String> labels = List.of();

    @Option(
            names = "--index-field",
            split = ",",
            paramLabel = "PATH",
            description =
                    "Fields to index, besides spec.nodeName, such as status.phase;"
                            + " separated by commas.")
    private List<String> fields = List.of();

    /** The nodes' consumer group. */
    public String group() {
        return group;
    }

    /**
     * The node's settings.
     *
     * @throws UsageException if a value is out of bounds
     */
    public StreamsSettings streams(
            String kafkaBootstrap,
            Map<String, Object> kafka,
            MirrorOptions mirror,
            Path stateDirectory,
            int standbys) {
        return UsageException.unlessValid(() ->
                new StreamsSettings(
                        kafkaBootstrap,
                        mirror.topic(),
                        group,
                        stateDirectory,
                        mirror.history(),
                        historyBytes,
                        standbys,
                        indexes(),
                        cacheBytes,
                        writeBufferBytes,
                        kafka));
    }

    private IndexSettings indexes() {
        Set<String> allFields = new LinkedHashSet<>(IndexSettings.DEFAULT.fields());
        allFields.addAll(fields);
        return new IndexSettings(Set.copyOf(labels), allFields);
    }
}
