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
    private Optional<JsonNode> metadata(StoredObject object, long resourceVersion) {
        return switch (ServedVersion.of(resource, object)) {
            case ServedVersion.AsStored _, ServedVersion.Renamed _ ->
                    Optional.of(metadataOf(object.stored(), object.valueOffset()));
            case ServedVersion.Converted converted ->
                    Optional.of(metadataOf(converted.json(resourceVersion), 0));
            case ServedVersion.Unservable _ -> Optional.empty();
        };
    }

    private static JsonNode metadataOf(byte[] json, int from) {
        return TopLevelMembers.find(json, from, json.length, "metadata")
                .map(member ->
                        GoJson.read(Arrays.copyOfRange(json, member.valueFrom(), member.valueTo())))
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
        return metadata(object, resourceVersion)
                .map(found -> {
                    ObjectNode metadata = MetadataJson.ordered(found);
                    metadata.put("resourceVersion", Long.toString(resourceVersion));
                    return GoJson.write(MetadataJson.partial(metadata, apiVersion));
                });
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return GoJson.write(
                MetadataJson.partial(
                        MetadataJson.ofBookmark(resourceVersion, initialEventsEnd), apiVersion));
    }
}
