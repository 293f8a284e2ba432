package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;
import io.tidemark.query.encode.StoredMessages;
import io.tidemark.query.select.DeclaredIndexes;
import io.tidemark.record.Bytes;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.streams.StreamsSettings;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node's consumer group, stores and indexes. */
public final class StoreOptions {
    @Mixin private MemoryOption memory = new MemoryOption();

    /** Every kubelet selects the pods of its node. */
    private static final DeclaredIndexes ALWAYS =
            DeclaredIndexes.parse(List.of("pods=spec.nodeName"));

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
                "Maximum size on disk of one partition's history; beyond it the oldest is deleted",
                "early (default: ${DEFAULT-VALUE})."
            })
    private long historyBytes = StreamsSettings.DEFAULT_MAX_HISTORY_BYTES;

    @Option(
            names = "--cache-bytes",
            paramLabel = "BYTES",
            description =
                    "Off-heap memory for the stores' block cache and write buffers (default: a"
                            + " quarter of what --memory exceeds 256m by).")
    private @Nullable Long cacheBytes;

    @Option(
            names = "--write-buffer-bytes",
            paramLabel = "BYTES",
            description =
                    "Part of --cache-bytes that write buffers, changes not yet on disk, may use"
                            + " (default: half of it).")
    private @Nullable Long writeBufferBytes;

    @Option(
            names = "--index-label",
            split = ",",
            paramLabel = "LABEL",
            description =
                    "Accepted from older settings and without effect: every label is indexed.")
    @SuppressWarnings("unused") // For settings that still have it.
    private List<String> labels = List.of();

    /** Parts of a Secret that only its encrypted form may hold. */
    private static final Pattern SECRET_PATHS =
            Pattern.compile(
                    "(data|stringData|metadata\\.annotations|metadata\\.managedFields)(\\.|$)");

    @Option(
            names = "--index",
            paramLabel = "RESOURCE=PATH",
            description = {
                "Fields to index, besides pods=spec.nodeName, such as",
                "deployments=spec.replicas or widgets.example.com=spec.tier,spec.size:",
                "field selectors may use them, and then read only matching objects;",
                "repeatable, or separated by commas."
            })
    private List<String> indexes = List.of();

    @Option(
            names = "--keep-protobuf",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Also store built-in objects as protobuf: lists and reads in this form, which",
                "controllers and kubelets ask for, then copy bytes. Takes more disk."
            })
    private boolean keepsProtobuf;

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
            int standbys,
            String advertise) {
        long cache = cacheBytes();
        long writeBuffers = writeBufferBytes == null ? cache / 2 : writeBufferBytes;
        return UsageException.unlessValid(() ->
                new StreamsSettings(
                        kafkaBootstrap,
                        mirror.topic(),
                        group,
                        stateDirectory,
                        mirror.history(),
                        historyBytes,
                        standbys,
                        advertise,
                        withoutSecrets(indexSettings(mirror.prefix()), mirror),
                        cache,
                        writeBuffers,
                        kafka,
                        mirror.secretKeys(),
                        keepsProtobuf ? Optional.of(new StoredMessages()) : Optional.empty()));
    }

    private long cacheBytes() {
        if (cacheBytes != null) {
            return cacheBytes;
        }
        return memory.plan()
                .map(MemoryPlan::stores)
                .orElse(StreamsSettings.DEFAULT_BLOCK_CACHE_BYTES);
    }

    /** The memory of the process. */
    public MemoryOption memory() {
        return memory;
    }

    /**
     * The indexes of {@code --index}.
     *
     * @throws UsageException if one cannot be parsed
     */
    public DeclaredIndexes indexes() {
        try {
            return DeclaredIndexes.parse(indexes);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--index: " + e.getMessage());
        }
    }

    /** The index is not encrypted. */
    private static IndexSettings withoutSecrets(IndexSettings settings, MirrorOptions mirror) {
        if (mirror.secretKeys().isEmpty()) {
            return settings;
        }
        for (IndexSettings.Field field : settings.fields()) {
            boolean secret = field.keyPrefix().utf8().contains("/secrets/");
            if (secret && SECRET_PATHS.matcher(field.path()).lookingAt()) {
                throw new UsageException(
                        "--index: the index would hold %s of Secrets in clear"
                                .formatted(field.path()));
            }
        }
        return settings;
    }

    private IndexSettings indexSettings(Bytes prefix) {
        Set<IndexSettings.Field> fields = new HashSet<>();
        Stream.of(ALWAYS, indexes())
                .forEach(declared ->
                        declared.byKeyPrefix(prefix)
                                .forEach((keys, paths) ->
                                        paths.forEach(path ->
                                                fields.add(new IndexSettings.Field(keys, path)))));
        return new IndexSettings(fields);
    }
}
