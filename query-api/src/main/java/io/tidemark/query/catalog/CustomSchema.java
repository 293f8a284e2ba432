package io.tidemark.query.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.structural.CustomResources;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredJson;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of one CustomResourceDefinition. The instance is kept when the definition changes and
 * is updated in place, so that open watches and their shared encodings use the new schema at once.
 * Thread-safe.
 */
public final class CustomSchema {
    /**
     * For built-in resources and definitions without a usable schema: objects are served as stored.
     */
    public static final CustomSchema NONE = new CustomSchema();

    private static final Logger LOG = LoggerFactory.getLogger(CustomSchema.class);

    private static final ObjectMapper JSON = new ObjectMapper(StoredJson.factory());

    /** Of all schemas, so that no two of one definition have the same number. */
    private static final AtomicLong GENERATIONS = new AtomicLong();

    private volatile @Nullable CustomResources compiled;
    private volatile byte @Nullable [] definition;

    /** Changes after the schema. */
    private volatile long generation;

    CustomSchema() {}

    /**
     * Compiles a new definition. If that fails, objects are served as stored.
     *
     * @param name of the definition, for the log
     * @param stored the definition as stored in etcd
     */
    void update(String name, byte[] stored) {
        try {
            Bytes newest = BuiltInConversions.definition(stored);
            definition = newest.array();
            compiled = CustomResources.compile(newest, KubernetesDecoder.DEFAULT_MAX_JSON_BYTES);
        } catch (RuntimeException e) {
            LOG.warn("cannot compile the schema of {}: its objects are served as stored", name, e);
            compiled = null;
        }
        generation = GENERATIONS.incrementAndGet();
    }

    /** Drops the schema: objects are served as stored. */
    void clear() {
        compiled = null;
        definition = null;
        generation = GENERATIONS.incrementAndGet();
    }

    /**
     * A number that is another one once the schema has changed. What is kept under the number that
     * was read before it was made is not found after a change.
     */
    long generation() {
        return generation;
    }

    /** The definition's JSON in its newest version, read-only; empty when unknown. */
    public Optional<byte[]> definition() {
        return Optional.ofNullable(definition);
    }

    /**
     * The schema that a definition declares for a version, unchanged.
     *
     * @param definition as {@link #definition}
     */
    public static Optional<JsonNode> declared(byte[] definition, String version) {
        try {
            for (JsonNode declared : JSON.readTree(definition).path("spec").path("versions")) {
                if (declared.path("name").asText("").equals(version)) {
                    return Optional.of(declared.path("schema").path("openAPIV3Schema"));
                }
            }
            return Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /**
     * The conversion from one stored version of the group to a served one, or to the same; empty
     * when replacing the apiVersion is enough.
     *
     * @param stored and {@code served}: versions without the group
     */
    Optional<UnaryOperator<byte[]>> between(String stored, String served) {
        CustomResources now = compiled;
        if (now == null
                || !now.declares(stored)
                || !now.declares(served)
                || (now.servesAsStored(stored) && now.servesAsStored(served))) {
            return Optional.empty();
        }
        return Optional.of(
                json -> now.served(json, served, 0).map(bytes -> bytes.array()).orElseThrow());
    }
}
