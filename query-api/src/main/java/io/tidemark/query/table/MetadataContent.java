package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.catalog.TopLevelMembers;
import io.tidemark.query.table.Renderer.ListMeta;
import io.tidemark.view.StoredObject;
import java.util.Arrays;
import java.util.Optional;

/** Metadata only. Of an object just that member is decoded. */
final class MetadataContent implements Content {
    private final Resource resource;
    private final String apiVersion;

    /**
     * @param apiVersion of PartialObjectMetadata, not of the objects
     */
    MetadataContent(Resource resource, String apiVersion) {
        this.resource = resource;
        this.apiVersion = apiVersion;
    }

    /** An object's metadata, as stored. */
    static JsonNode metadataOf(StoredObject object) {
        byte[] stored = object.stored();
        return TopLevelMembers.find(stored, object.valueOffset(), stored.length, "metadata")
                .map(member ->
                        GoJson.read(
                                Arrays.copyOfRange(stored, member.valueFrom(), member.valueTo())))
                .orElseGet(GoJson.NODES::objectNode);
    }

    @Override
    public byte[] listHead(ListMeta meta) {
        ObjectNode head = GoJson.NODES.objectNode();
        head.put("kind", "PartialObjectMetadataList").put("apiVersion", apiVersion);
        head.set("metadata", MetadataJson.ofList(meta));
        return WholeContent.openMember(head, itemsMember());
    }

    @Override
    public String itemsMember() {
        return "items";
    }

    @Override
    public byte[] noItems() {
        return GoJson.utf8("null");
    }

    @Override
    public byte[] listTail() {
        return GoJson.utf8("}");
    }

    @Override
    public Optional<byte[]> item(StoredObject object) {
        return event(object, object.revision());
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return event(object, object.revision());
    }

    @Override
    public Optional<byte[]> event(StoredObject object, long resourceVersion) {
        if (ServedVersion.of(resource, object) instanceof ServedVersion.Unservable) {
            return Optional.empty();
        }
        ObjectNode metadata = MetadataJson.ordered(metadataOf(object));
        metadata.put("resourceVersion", Long.toString(resourceVersion));
        return Optional.of(GoJson.write(MetadataJson.partial(metadata, apiVersion)));
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return GoJson.write(
                MetadataJson.partial(
                        MetadataJson.ofBookmark(resourceVersion, initialEventsEnd), apiVersion));
    }
}
