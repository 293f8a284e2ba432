package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.convert.ZeroObjects;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/**
 * Whole objects. The API server has Go types of built-in resources: their lists begin with the
 * kind, and items do not repeat it. It treats custom resources as maps: members are sorted, and
 * items have their kind.
 */
final class WholeContent implements Content {
    private static final ZeroObjects ZEROS = new ZeroObjects();

    private final Resource resource;
    private byte[] customTail = {};

    WholeContent(Resource resource) {
        this.resource = resource;
    }

    @Override
    public byte[] listHead(ListMeta meta) {
        ObjectNode head = GoJson.NODES.objectNode();
        if (resource.custom()) {
            head.put("apiVersion", resource.apiVersion());
        } else {
            head.put("kind", resource.listKind()).put("apiVersion", resource.apiVersion());
            ObjectNode metadata = MetadataJson.ofList(meta);
            if (!meta.shard().isEmpty()) {
                metadata.putObject("shardInfo").put("selector", meta.shard());
            }
            head.set("metadata", metadata);
        }
        customTail = customTail(meta);
        return openMember(head, itemsMember());
    }

    private byte[] customTail(ListMeta meta) {
        ObjectNode tail = GoJson.NODES.objectNode();
        tail.put("kind", resource.listKind());
        ObjectNode metadata = MetadataJson.ofList(meta);
        metadata.put("continue", meta.continueToken()); // Maps show it even when it is empty.
        tail.set("metadata", MetadataJson.sorted(metadata));
        byte[] json = GoJson.write(tail);
        json[0] = ',';
        return json;
    }

    @Override
    public String itemsMember() {
        return "items";
    }

    @Override
    public byte[] emptyItems() {
        return GoJson.utf8("[]");
    }

    @Override
    public byte[] listTail() {
        return resource.custom() ? customTail : GoJson.utf8("}");
    }

    @Override
    public Optional<byte[]> item(StoredObject object) {
        Optional<byte[]> json = ServedObject.json(resource, object, object.revision());
        return resource.custom() ? json : json.map(TypeMeta::without);
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return ServedObject.json(resource, object, object.revision());
    }

    @Override
    public Optional<byte[]> event(StoredObject object, long resourceVersion) {
        return ServedObject.json(resource, object, resourceVersion);
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return GoJson.write(bookmark(resource, resourceVersion, initialEventsEnd));
    }

    /**
     * An empty object with a resourceVersion. The Go types of built-in resources serialize some
     * members even if empty.
     */
    static ObjectNode bookmark(Resource resource, long resourceVersion, boolean initialEventsEnd) {
        ObjectNode metadata = MetadataJson.ofBookmark(resourceVersion, initialEventsEnd);
        ObjectNode object = GoJson.NODES.objectNode();
        object.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        if (resource.custom()) {
            object.set("metadata", MetadataJson.sorted(metadata));
            return MetadataJson.sorted(object);
        }
        JsonNode zero =
                ZEROS.of(resource.apiVersion(), resource.kind())
                        .map(json -> GoJson.read(json.array()))
                        .orElse(object);
        if (zero.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            ObjectNode all = annotations.deepCopy();
            all.setAll(metadata.withObjectProperty("annotations"));
            metadata.set("annotations", MetadataJson.sorted(all));
        }
        object.set("metadata", metadata);
        zero.properties().forEach(member -> object.putIfAbsent(member.getKey(), member.getValue()));
        return object;
    }

    /** A document through the colon of its last member. */
    static byte[] openMember(ObjectNode head, String member) {
        byte[] json = GoJson.write(head);
        json[json.length - 1] = ',';
        return GoJson.joined(json, GoJson.utf8("\"" + member + "\":"));
    }
}
