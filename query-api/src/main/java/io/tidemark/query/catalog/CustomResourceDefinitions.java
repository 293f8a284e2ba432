package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The known CustomResourceDefinitions and the resources each declares. For one thread. */
final class CustomResourceDefinitions {
    /** More than ten times the number that API servers are tested with. */
    static final int MAX_DEFINITIONS = 10_000;

    /**
     * A compiled schema takes about the memory of its definition, which is kept beside it; beyond
     * this limit objects are served as stored.
     */
    private static final long MAX_SCHEMA_BYTES = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(CustomResourceDefinitions.class);

    private final Bytes prefix;
    private final TreeMap<Bytes, Definition> byKey = new TreeMap<>();

    /** The schemas of definitions that ended, as long as an open watch holds them. */
    private final Map<Bytes, WeakReference<CustomSchema>> ended = new HashMap<>();

    private long schemaBytes;

    /**
     * @param schemaBytes bytes that the compiled schema counts for
     */
    private record Definition(List<Resource> resources, CustomSchema schema, long schemaBytes) {}

    /**
     * @param prefix of the cluster in etcd, with the slash
     */
    CustomResourceDefinitions(Bytes prefix) {
        this.prefix = prefix;
    }

    /**
     * Adds or replaces a definition; its schema object stays, since readers may hold it, also when
     * the definition ended in between.
     */
    void put(StoredObject object) {
        Bytes key = object.key();
        remove(key);
        if (byKey.size() >= MAX_DEFINITIONS) {
            LOG.warn(
                    "more than {} custom resource definitions: {} is not served",
                    MAX_DEFINITIONS,
                    key);
            return;
        }
        byte[] json = object.valueCopy();
        CustomSchema schema = schemaOf(key);
        List<Resource> resources =
                CustomResources.of(json, prefix).stream()
                        .map(resource -> resource.withSchema(schema))
                        .toList();
        long counts = 0;
        if (resources.isEmpty()) {
            LOG.info("definition {} is invalid or not established: not served", key);
            schema.clear();
        } else if (schemaBytes + json.length > MAX_SCHEMA_BYTES) {
            LOG.warn(
                    "schemas exceed {} bytes: objects of {} are served as stored",
                    MAX_SCHEMA_BYTES,
                    key);
            schema.clear();
        } else {
            schema.update(key.utf8(), json);
            counts = json.length;
        }
        schemaBytes += counts;
        byKey.put(key, new Definition(resources, schema, counts));
    }

    void remove(Bytes key) {
        @Nullable Definition removed = byKey.remove(key);
        if (removed != null) {
            schemaBytes -= removed.schemaBytes();
            ended.put(key, new WeakReference<>(removed.schema()));
            if (ended.size() > byKey.size()) {
                ended.values().removeIf(schema -> schema.refersTo(null));
            }
        }
    }

    void clear() {
        List.copyOf(byKey.keySet()).forEach(this::remove);
    }

    private CustomSchema schemaOf(Bytes key) {
        @Nullable WeakReference<CustomSchema> former = ended.remove(key);
        @Nullable CustomSchema held = former == null ? null : former.get();
        return held == null ? new CustomSchema() : held;
    }

    /** The resources of all definitions, in key order. */
    List<Resource> resources() {
        List<Resource> all = new ArrayList<>();
        byKey.values().forEach(definition -> all.addAll(definition.resources()));
        return all;
    }
}
