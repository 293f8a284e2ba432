package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.json.PartialTree;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.query.table.RowCells;
import io.tidemark.view.object.StoredObject;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Rows and columns, as {@code kubectl get} shows them. */
final class TableContent implements Content {
    /** The columns of a resource without declared ones. */
    private static final List<Column> DEFAULT_COLUMNS =
            List.of(
                    new Column(
                            "Name", "string", "name", BuiltInResources.text("name"), 0, "fn:name"),
                    new Column(
                            "Created At",
                            "date",
                            "",
                            BuiltInResources.text("created"),
                            0,
                            "fn:createdAt"));

    /** Members of pods and of their templates that no cell shows. */
    private static final List<String> OF_PODS =
            List.of("affinity", "securityContext", "tolerations", "volumes");

    /** Members of containers that no cell shows. */
    private static final List<String> OF_CONTAINERS =
            List.of(
                    "args",
                    "command",
                    "env",
                    "envFrom",
                    "lifecycle",
                    "livenessProbe",
                    "readinessProbe",
                    "resources",
                    "securityContext",
                    "startupProbe",
                    "volumeMounts");

    /** What the cells of built-in resources read. */
    private static final PartialTree SHOWN = new PartialTree(notShown());

    private static List<String> notShown() {
        List<String> paths = new ArrayList<>();
        for (String pod : List.of("spec.", "spec.template.spec.")) {
            OF_PODS.forEach(name -> paths.add(pod + name));
            for (String containers : List.of("containers.", "initContainers.")) {
                OF_CONTAINERS.forEach(name -> paths.add(pod + containers + name));
            }
        }
        return paths;
    }

    private final Resource resource;
    private final View.Table view;
    private final InstantSource clock;
    private final PartialMetadata metadata;
    private final byte[] columns;
    private final RowCells cells;
    private final List<DeferredRow> held = new ArrayList<>();
    private boolean columnsShown;

    TableContent(Resource resource, View.Table view, InstantSource clock) {
        this.resource = resource;
        this.view = view;
        this.clock = clock;
        this.metadata = new PartialMetadata(view.apiVersion());
        List<Column> shown =
                resource.columns().isEmpty() ? DEFAULT_COLUMNS : RowCells.shown(resource);
        this.columns = GoJson.write(definitions(shown));
        this.cells = RowCells.of(resource, shown);
    }

    @Override
    public byte[] listHead(ListMeta meta) {
        return GoJson.joined(head(MetadataJson.ofList(meta), columns), GoJson.utf8("\"rows\":"));
    }

    @Override
    public String itemsMember() {
        return "rows";
    }

    /** The API server's default table has a nil list. */
    @Override
    public byte[] emptyItems() {
        return GoJson.utf8(resource.columns().isEmpty() ? "null" : "[]");
    }

    @Override
    public byte[] listTail() {
        return GoJson.utf8("}");
    }

    @Override
    public Optional<byte[]> item(StoredObject object) {
        Optional<byte[]> row = row(object, object.revision());
        if (row.isPresent() && resource.plural().equals("flowschemas") && !resource.custom()) {
            held.add(DeferredRow.of(tree(object, object.revision()), row.get()));
            return Optional.empty();
        }
        return row;
    }

    /** Flow schemas, of which there are few, are sorted by matching precedence. */
    @Override
    public Iterable<byte[]> deferredItems() {
        return held.stream().sorted(DeferredRow.ORDER).map(DeferredRow::row).toList();
    }

    private record DeferredRow(long precedence, String name, byte[] row) {
        static final Comparator<DeferredRow> ORDER =
                Comparator.comparingLong(DeferredRow::precedence).thenComparing(DeferredRow::name);

        static DeferredRow of(JsonNode object, byte[] row) {
            return new DeferredRow(
                    object.path("spec").path("matchingPrecedence").asLong(),
                    object.path("metadata").path("name").asText(""),
                    row);
        }
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return row(object, object.revision()).map(row -> table(object.revision(), columns, row));
    }

    @Override
    public Optional<byte[]> event(StoredObject object, long resourceVersion) {
        return row(object, resourceVersion).map(row -> table(resourceVersion, eventColumns(), row));
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        ObjectNode object = GoJson.NODES.objectNode();
        object.set("metadata", MetadataJson.ofBookmark(resourceVersion, initialEventsEnd));
        byte[] shown =
                switch (view.include()) {
                    case OBJECT ->
                            GoJson.write(
                                    WholeContent.bookmark(
                                            resource, resourceVersion, initialEventsEnd));
                    case METADATA -> partial(object);
                    case NONE -> initialEventsEnd ? partial(object) : GoJson.utf8("null");
                };
        return table(resourceVersion, eventColumns(), row(object, shown));
    }

    private byte[] eventColumns() {
        byte[] shown = columnsShown ? GoJson.utf8("null") : columns;
        columnsShown = true;
        return shown;
    }

    private Optional<byte[]> row(StoredObject object, long resourceVersion) {
        if (ServedVersion.of(resource, object) instanceof ServedVersion.Unservable) {
            return Optional.empty();
        }
        JsonNode tree = tree(object, resourceVersion);
        Optional<byte[]> shown =
                switch (view.include()) {
                    case OBJECT -> ServedObject.json(resource, object, resourceVersion);
                    case METADATA -> Optional.of(metadata(object, tree, resourceVersion));
                    case NONE -> Optional.of(GoJson.utf8("null"));
                };
        return shown.map(json -> row(tree, json));
    }

    /** That of a custom resource may be another one in the requested version. */
    private byte[] metadata(StoredObject object, JsonNode tree, long resourceVersion) {
        if (!resource.custom()) {
            return metadata.of(object, resourceVersion);
        }
        if (tree.path("metadata") instanceof ObjectNode served) {
            served.put("resourceVersion", Long.toString(resourceVersion));
        }
        return partial(tree);
    }

    /**
     * The input of the cells: the stored form of built-in objects, the served one of custom ones.
     * An unparsable object must not fail the whole table: only its name is shown.
     */
    private JsonNode tree(StoredObject object, long resourceVersion) {
        try {
            Optional<byte[]> served =
                    resource.custom()
                            ? ServedObject.json(resource, object, resourceVersion)
                            : Optional.empty();
            return served.map(GoJson::read).orElseGet(() -> shown(object));
        } catch (UncheckedIOException _) {
            String key = object.key().utf8();
            ObjectNode named = GoJson.NODES.objectNode();
            named.putObject("metadata").put("name", key.substring(key.lastIndexOf('/') + 1));
            return named;
        }
    }

    /** Copies what it reads, since passing over managed fields would take longer. */
    private static JsonNode shown(StoredObject object) {
        StoredObject read = object.withoutManagedFields();
        return SHOWN.read(read.stored(), read.valueOffset(), read.stored().length);
    }

    private byte[] row(JsonNode object, byte[] shown) {
        Instant now = clock.instant();
        ArrayNode values = GoJson.NODES.arrayNode();
        cells.of(object, now).forEach(values::add);
        ObjectNode row = GoJson.NODES.objectNode();
        row.set("cells", values);
        ArrayNode conditions = cells.conditions(object);
        if (!conditions.isEmpty()) {
            row.set("conditions", conditions);
        }
        return GoJson.joined(WholeContent.openMember(row, "object"), shown, GoJson.utf8("}"));
    }

    private byte[] partial(JsonNode object) {
        return GoJson.write(MetadataJson.partial(object.path("metadata"), view.apiVersion()));
    }

    private byte[] table(long resourceVersion, byte[] shownColumns, byte[] row) {
        ObjectNode metadata = GoJson.NODES.objectNode();
        metadata.put("resourceVersion", Long.toString(resourceVersion));
        return GoJson.joined(
                head(metadata, shownColumns), GoJson.utf8("\"rows\":["), row, GoJson.utf8("]}"));
    }

    private byte[] head(ObjectNode metadata, byte[] shownColumns) {
        ObjectNode head = GoJson.NODES.objectNode();
        head.put("kind", "Table").put("apiVersion", view.apiVersion());
        head.set("metadata", metadata);
        return GoJson.joined(
                WholeContent.openMember(head, "columnDefinitions"), shownColumns, GoJson.utf8(","));
    }

    private static ArrayNode definitions(List<Column> columns) {
        ArrayNode definitions = GoJson.NODES.arrayNode();
        for (Column column : columns) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", column.description())
                    .put("priority", column.priority());
        }
        return definitions;
    }
}
