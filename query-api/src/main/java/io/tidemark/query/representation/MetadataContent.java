package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Metadata only, copied from the stored bytes except for the resourceVersion. Metadata is the same
 * in every version of an object, so no conversion is needed.
 */
final class MetadataContent implements Content {
    private final Resource resource;
    private final String apiVersion;
    private final PartialMetadata partial;

    /**
     * @param apiVersion of PartialObjectMetadata, not of the objects
     */
    MetadataContent(Resource resource, String apiVersion) {
        this.resource = resource;
        this.apiVersion = apiVersion;
        this.partial = new PartialMetadata(apiVersion);
    }

    @Override
    public Projection projection() {
        return Projection.METADATA;
    }

    @Override
    public byte[] listHead(ListMeta meta) {
        ObjectNode list = GoJson.NODES.objectNode();
        list.put("kind", "PartialObjectMetadataList").put("apiVersion", apiVersion);
        list.set("metadata", MetadataJson.ofList(meta));
        return WholeContent.openMember(list, itemsMember());
    }

    @Override
    public String itemsMember() {
        return "items";
    }

    @Override
    public byte[] emptyItems() {
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
    public boolean writeItem(char before, StoredObject object, OutputStream out)
            throws IOException {
        if (!isServable(object)) {
            return false;
        }
        out.write(before);
        partial.write(object, object.revision(), out);
        return true;
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return event(object, object.revision());
    }

    @Override
    public Optional<byte[]> event(StoredObject object, long resourceVersion) {
        return isServable(object)
                ? Optional.of(partial.of(object, resourceVersion))
                : Optional.empty();
    }

    private boolean isServable(StoredObject object) {
        return !(ServedVersion.of(resource, object) instanceof ServedVersion.Unservable);
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return GoJson.write(
                MetadataJson.partial(
                        MetadataJson.ofBookmark(resourceVersion, initialEventsEnd), apiVersion));
    }
}
