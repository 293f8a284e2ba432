package io.tidemark.query.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.table.Renderer.ListMeta;
import io.tidemark.view.StoredObject;
import java.util.Optional;

/**
 * Whole objects. The API server knows the types of built-in resources: their lists begin with the
 * kind, and items do not repeat it. Custom resources are maps to it: members are sorted, and items
 * say their kind.
 */
final class WholeContent implements Content {
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
            head.put("kind", resource.kind() + "List").put("apiVersion", resource.apiVersion());
            head.set("metadata", MetadataJson.ofList(meta));
        }
        customTail = customTail(meta);
        return openMember(head, itemsMember());
    }

    private byte[] customTail(ListMeta meta) {
        ObjectNode tail = GoJson.NODES.objectNode();
        tail.put("kind", resource.kind() + "List");
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
    public byte[] noItems() {
        return GoJson.utf8("[]");
    }

    @Override
    public byte[] listTail() {
        return resource.custom() ? customTail : GoJson.utf8("}");
    }

    @Override
    public Optional<byte[]> item(StoredObject object) {
        Optional<byte[]> json = ServedObject.json(resource, object, object.revision());
        return resource.custom() ? json : json.map(ServedObject::withoutKind);
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

    static ObjectNode bookmark(Resource resource, long resourceVersion, boolean initialEventsEnd) {
        ObjectNode object = GoJson.NODES.objectNode();
        object.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        ObjectNode metadata = MetadataJson.ofBookmark(resourceVersion, initialEventsEnd);
        object.set("metadata", resource.custom() ? MetadataJson.sorted(metadata) : metadata);
        return resource.custom() ? MetadataJson.sorted(object) : EmptyObjects.complete(object);
    }

    /** A document through the colon of its last member. */
    static byte[] openMember(ObjectNode head, String member) {
        byte[] json = GoJson.write(head);
        json[json.length - 1] = ',';
        return GoJson.joined(json, GoJson.utf8("\"" + member + "\":"));
    }
}
