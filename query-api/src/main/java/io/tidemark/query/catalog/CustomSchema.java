package io.tidemark.query.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.structural.CustomResources;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the objects of one definition are read, as the definition stands now. It stays the same when
 * the definition changes and says something else from then on, so that watches which are open, and
 * what they share, follow at once. Thread-safe.
 */
public final class CustomSchema {
    /** Of built-in resources, and of definitions that say nothing of use: stored bytes will do. */
    public static final CustomSchema NONE = new CustomSchema();

    private static final Logger LOG = LoggerFactory.getLogger(CustomSchema.class);

    private static final ObjectMapper JSON = new ObjectMapper();

    private volatile @Nullable CustomResources compiled;
    private volatile byte @Nullable [] definition;

    CustomSchema() {}

    /**
     * Follows the definition. One that cannot be compiled leaves objects as they are stored.
     *
     * @param name of the definition, for the log
     * @param stored as etcd has it
     */
    void update(String name, byte[] stored) {
        try {
            Bytes newest = BuiltInConversions.definition(stored);
            definition = newest.array();
            compiled = CustomResources.compile(newest, KubernetesDecoder.DEFAULT_MAX_JSON_BYTES);
        } catch (RuntimeException e) {
            LOG.warn("The schema of {} cannot be read: objects are served as stored", name, e);
            compiled = null;
        }
    }

    /** From now on stored bytes will do. */
    void clear() {
        compiled = null;
        definition = null;
    }

    /** The definition's JSON in its newest version, not to be written to; empty when unknown. */
    public Optional<byte[]> definition() {
        return Optional.ofNullable(definition);
    }

    /** The schema that the definition declares for a version, as it stands there. */
    public Optional<JsonNode> declared(String version) {
        byte[] json = definition;
        if (json == null) {
            return Optional.empty();
        }
        try {
            for (JsonNode declared : JSON.readTree(json).path("spec").path("versions")) {
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
     * What is to be done to objects stored in one version of the group to serve them in another, or
     * in the same; empty when the stored bytes will do, but for the name of the version.
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
