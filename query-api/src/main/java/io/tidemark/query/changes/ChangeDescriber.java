package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldManagers;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.view.object.StoredJson;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion.Step;
import io.tidemark.view.request.ObjectChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes changes of Kubernetes objects: what differs, who changed it, and whose object it is.
 */
public final class ChangeDescriber {
    /** Most fields of one change. */
    public static final int MAX_FIELDS = 50;

    /** Longest text of an Event, in characters. */
    private static final int MAX_MESSAGE = 1024;

    private static final ObjectReader JSON =
            new JsonMapper(StoredJson.factory()).readerFor(JsonNode.class);

    private final Catalog catalog;

    public ChangeDescriber(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Describes a change.
     *
     * @return empty for keys that hold no readable Kubernetes object on either side
     */
    public Optional<ChangeItem> describe(ObjectChange change) {
        Optional<Resource> resource = catalog.ofKey(change.key());
        JsonNode before = json(change.previous());
        JsonNode after = json(change.current());
        if (resource.isEmpty() || (before.isMissingNode() && after.isMissingNode())) {
            return Optional.empty();
        }
        return Optional.of(item(change, resource.get(), before, after));
    }

    private ChangeItem item(
            ObjectChange change, Resource resource, JsonNode before, JsonNode after) {
        Step step =
                before.isMissingNode()
                        ? Step.ADDED
                        : after.isMissingNode() ? Step.DELETED : Step.MODIFIED;
        JsonNode object = step == Step.DELETED ? before : after;
        TellingFields telling =
                step == Step.MODIFIED ? TellingFields.between(before, after) : TellingFields.none();
        Optional<ObjectName> owner =
                ChangeClass.isEvents(resource) ? subject(object) : controller(object);
        return new ChangeItem(
                change.revision(),
                change.index(),
                step,
                ChangeClass.of(resource, step, telling.change()),
                ObjectName.of(resource, object.path("metadata")),
                fields(resource, telling.first(), before, after),
                telling.more(),
                ChangeClass.isEvents(resource) ? message(object) : "",
                owner,
                owner);
    }

    private static List<FieldChange> fields(
            Resource resource, List<Difference> telling, JsonNode before, JsonNode after) {
        FieldManagers managers = FieldManagers.of(after);
        String latest = telling.isEmpty() ? "" : managers.latestSince(before).orElse("");
        List<FieldChange> fields = new ArrayList<>();
        for (Difference each : telling) {
            String manager = managers.of(each.path()).orElse(latest);
            fields.add(
                    isSecret(resource, each)
                            ? FieldChange.hidden(each.path(), manager)
                            : FieldChange.of(each.path(), each.before(), each.after(), manager));
        }
        return fields;
    }

    /** Of a Secret only metadata, without annotations, is shown. */
    private static boolean isSecret(Resource resource, Difference field) {
        return resource.qualifiedName().equals("secrets")
                && (!field.path().isBelow("metadata")
                        || field.path().isBelow("metadata", "annotations"));
    }

    /** The controller, else the first owner. */
    public Optional<ObjectName> controller(JsonNode object) {
        JsonNode references = object.path("metadata").path("ownerReferences");
        JsonNode found = MissingNode.getInstance();
        for (JsonNode each : references) {
            if (found.isMissingNode() || each.path("controller").asBoolean()) {
                found = each;
            }
        }
        return named(found, object.path("metadata").path("namespace").asText());
    }

    /** What an Event is about: {@code regarding}, or in the core group {@code involvedObject}. */
    private Optional<ObjectName> subject(JsonNode event) {
        JsonNode regarding = event.path("regarding");
        JsonNode about = regarding.isObject() ? regarding : event.path("involvedObject");
        return named(about, about.path("namespace").asText());
    }

    private Optional<ObjectName> named(JsonNode reference, String namespace) {
        String name = reference.path("name").asText();
        String kind = reference.path("kind").asText();
        if (name.isEmpty() || kind.isEmpty()) {
            return Optional.empty();
        }
        String apiVersion = reference.path("apiVersion").asText("v1");
        int slash = apiVersion.indexOf('/');
        Optional<Resource> resource =
                catalog.ofKind(slash < 0 ? "" : apiVersion.substring(0, slash), kind);
        boolean inNamespace = resource.map(Resource::namespaced).orElse(true);
        return Optional.of(
                ObjectName.cut(
                        apiVersion,
                        kind,
                        resource.map(Resource::qualifiedName).orElse(""),
                        inNamespace ? namespace : "",
                        name,
                        reference.path("uid").asText()));
    }

    private static String message(JsonNode event) {
        String note = event.path("note").asText(event.path("message").asText());
        String text =
                String.join(" ", event.path("type").asText(), event.path("reason").asText(), note);
        return CutText.cut(text.strip(), MAX_MESSAGE);
    }

    /** Missing for no object, and for one that cannot be read. */
    public static JsonNode json(@Nullable StoredObject object) {
        if (object == null || !object.isKubernetes()) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(object.stored(), object.valueOffset(), object.valueLength());
        } catch (IOException _) {
            return MissingNode.getInstance();
        }
    }
}
