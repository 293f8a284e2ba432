package io.tidemark.query.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.CustomResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.json.GoJson;
import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The objects of the recorded cluster, as a mirror would have stored them. */
final class ClusterObjects {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final String RESOURCE_VERSION = "\"resourceVersion\":\"";

    private final TreeMap<Bytes, StoredObject> objects = new TreeMap<>();
    private final Catalog catalog;

    private ClusterObjects(List<JsonNode> lines) {
        List<Resource> resources = new ArrayList<>(BuiltInResources.under(PREFIX));
        for (JsonNode line : lines) {
            StoredObject object = stored(line);
            objects.put(object.key(), object);
            if (line.path("object").path("kind").asText().equals("CustomResourceDefinition")) {
                resources.addAll(CustomResources.of(object.valueCopy(), PREFIX));
            }
        }
        catalog = FixedCatalog.of(resources);
    }

    static ClusterObjects read() throws IOException {
        return new ClusterObjects(
                Golden.lines(Golden.shared().resolve("data/cluster-objects.jsonl.gz")));
    }

    Catalog catalog() {
        return catalog;
    }

    List<StoredObject> in(Resource resource, String namespace) {
        Bytes directory =
                namespace.isEmpty()
                        ? resource.keyPrefix()
                        : resource.keyPrefix().concat(Bytes.utf8(namespace + "/"));
        return objects.tailMap(directory).values().stream()
                .takeWhile(object -> object.key().startsWith(directory))
                .toList();
    }

    Optional<StoredObject> find(Resource resource, String namespace, String name) {
        Bytes key =
                resource.keyPrefix()
                        .concat(Bytes.utf8(namespace.isEmpty() ? name : namespace + "/" + name));
        return Optional.ofNullable(objects.get(key));
    }

    private static StoredObject stored(JsonNode line) {
        String json = new String(GoJson.write(line.path("object")), StandardCharsets.UTF_8);
        int place = json.indexOf(RESOURCE_VERSION) + RESOURCE_VERSION.length();
        return StoredObject.encode(
                Bytes.utf8(line.path("key").asText()),
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                line.path("modRevision").asLong(),
                1,
                1,
                0,
                "",
                Map.of(),
                Map.of(),
                json.substring(0, place).getBytes(StandardCharsets.UTF_8).length);
    }
}
