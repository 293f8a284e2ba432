package io.tidemark.query.changes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.tidemark.query.changes.ChangesQuery.Form;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes:
 *
 * <pre>
 * {"kind":"ChangeList","apiVersion":"tidemark.io/v1",
 *  "metadata":{"resourceVersion":"9000","continue":"…"},
 *  "from":{"resourceVersion":"8000","time":"…"},"to":{…},"floor":{…},"complete":true,
 *  "hidden":{"status":12},
 *  "items":[{"resourceVersion":"8999","time":"2026-11-21T14:03:00.100Z","type":"MODIFIED",
 *    "class":"spec","object":{"apiVersion":"apps/v1","kind":"Deployment",
 *      "resource":"deployments.apps","namespace":"market","name":"storefront","uid":"…"},
 *    "owner":{…},"root":{…},"managers":["kubectl-edit"],
 *    "changes":[{"path":"spec.replicas","old":2,"new":3,"manager":"kubectl-edit"}]}]}
 * </pre>
 */
public final class ChangeDocuments {
    private static final JsonMapper JSON = new JsonMapper();

    private final LongFunction<Instant> times;

    /**
     * @param times gives the time of each revision that is written
     */
    public ChangeDocuments(LongFunction<Instant> times) {
        this.times = times;
    }

    /**
     * One answer.
     *
     * @param items in their order
     * @param from exclusive
     * @param to inclusive
     * @param floor the oldest revision after which changes are known
     * @param complete whether the history reaches back to what was asked for
     * @param hidden changes that were left out for their class
     * @param token continues after the last item; empty at the end
     */
    public record ChangePage(
            List<ChangeItem> items,
            long from,
            long to,
            long floor,
            boolean complete,
            Map<ChangeClass, Long> hidden,
            String token) {}

    /** Writes the whole answer, one item at a time: the text of all may be large. */
    public void write(ChangePage page, Form form, OutputStream out) throws IOException {
        switch (form) {
            case JSON -> {
                String head = head(page).toString();
                out.write(bytes(head.substring(0, head.length() - 1) + ",\"items\":"));
                writeArray(page.items(), this::json, out);
                out.write(bytes("}\n"));
            }
            case NDJSON, TEXT -> {
                for (ChangeItem item : page.items()) {
                    out.write(bytes(line(item, form)));
                }
            }
            case GRAFANA -> {
                writeArray(page.items(), this::annotation, out);
                out.write('\n');
            }
        }
    }

    private static void writeArray(
            List<ChangeItem> items, Function<ChangeItem, ObjectNode> form, OutputStream out)
            throws IOException {
        String separator = "[";
        for (ChangeItem item : items) {
            out.write(bytes(separator + form.apply(item)));
            separator = ",";
        }
        out.write(bytes(items.isEmpty() ? "[]" : "]"));
    }

    /** One change as a line, with its end. */
    public String line(ChangeItem item, Form form) {
        return (form == Form.TEXT ? text(item) : json(item).toString()) + "\n";
    }

    /** The line that says through which revision a stream has sent everything, with its end. */
    public static String bookmark(long revision) {
        return JSON.createObjectNode()
                        .put("kind", "Bookmark")
                        .put("resourceVersion", Long.toString(revision))
                + "\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** All but the items. */
    private ObjectNode head(ChangePage page) {
        ObjectNode document = JSON.createObjectNode();
        document.put("kind", "ChangeList").put("apiVersion", "tidemark.io/v1");
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(page.to()));
        if (!page.token().isEmpty()) {
            metadata.put("continue", page.token());
        }
        document.set("from", point(page.from()));
        document.set("to", point(page.to()));
        document.set("floor", point(page.floor()));
        document.put("complete", page.complete());
        ObjectNode hidden = document.putObject("hidden");
        page.hidden().forEach((about, count) -> hidden.put(about.wireName(), count));
        return document;
    }

    private ObjectNode point(long revision) {
        return JSON.createObjectNode()
                .put("resourceVersion", Long.toString(revision))
                .put("time", time(revision));
    }

    private String time(long revision) {
        return times.apply(revision).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private ObjectNode json(ChangeItem item) {
        ObjectNode json = JSON.createObjectNode();
        json.put("resourceVersion", Long.toString(item.revision()));
        json.put("time", time(item.revision()));
        json.put("type", item.step().name());
        json.put("class", item.about().wireName());
        json.set("object", json(item.object()));
        item.owner()
                .filter(owner -> !item.root().equals(Optional.of(owner)))
                .ifPresent(owner -> json.set("owner", json(owner)));
        item.root().ifPresent(root -> json.set("root", json(root)));
        List<String> managers = managers(item);
        if (!managers.isEmpty()) {
            managers.forEach(json.putArray("managers")::add);
        }
        if (!item.message().isEmpty()) {
            json.put("message", item.message());
        }
        if (!item.fields().isEmpty()) {
            ArrayNode changes = json.putArray("changes");
            item.fields().forEach(field -> changes.add(json(field)));
        }
        if (item.moreFields() > 0) {
            json.put("moreChanges", item.moreFields());
        }
        return json;
    }

    private static List<String> managers(ChangeItem item) {
        return item.fields().stream()
                .map(FieldChange::manager)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static ObjectNode json(ObjectName name) {
        ObjectNode json = JSON.createObjectNode();
        json.put("apiVersion", name.apiVersion()).put("kind", name.kind());
        putUnlessEmpty(json, "resource", name.resource());
        putUnlessEmpty(json, "namespace", name.namespace());
        json.put("name", name.name());
        putUnlessEmpty(json, "uid", name.uid());
        putIfSo(json, "cut", name.cut());
        return json;
    }

    private static ObjectNode json(FieldChange field) {
        ObjectNode json = JSON.createObjectNode().put("path", field.path());
        putJson(json, "old", field.before());
        putJson(json, "new", field.after());
        putIfSo(json, "cut", field.cut());
        putIfSo(json, "hidden", field.hidden());
        putUnlessEmpty(json, "manager", field.manager());
        return json;
    }

    private static void putJson(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.putRawValue(name, new RawValue(value));
        }
    }

    private static void putIfSo(ObjectNode json, String name, boolean value) {
        if (value) {
            json.put(name, true);
        }
    }

    private static void putUnlessEmpty(ObjectNode json, String name, String value) {
        if (!value.isEmpty()) {
            json.put(name, value);
        }
    }

    private ObjectNode annotation(ChangeItem item) {
        ObjectNode json = JSON.createObjectNode();
        json.put("time", times.apply(item.revision()).toEpochMilli());
        json.put("title", item.step() + " " + item.object().text());
        json.put("text", said(item));
        ArrayNode tags = json.putArray("tags");
        tags.add(item.about().wireName());
        String resource = item.object().resource();
        tags.add(resource.isEmpty() ? item.object().kind() : resource);
        return json;
    }

    /** One line: control characters are escaped, so that content cannot make a second one. */
    private String text(ChangeItem item) {
        List<String> columns = new ArrayList<>();
        columns.add(time(item.revision()));
        columns.add(Long.toString(item.revision()));
        columns.add(item.step().name());
        columns.add(item.object().text());
        columns.add(said(item));
        return escaped(String.join("  ", columns).stripTrailing());
    }

    private static String said(ChangeItem item) {
        List<String> parts = new ArrayList<>();
        for (FieldChange field : item.fields()) {
            parts.add(said(field));
        }
        if (item.moreFields() > 0) {
            parts.add("and %d more".formatted(item.moreFields()));
        }
        String said = item.message().isEmpty() ? String.join(", ", parts) : item.message();
        List<String> managers = managers(item);
        return managers.isEmpty() ? said : said + "  (" + String.join(", ", managers) + ")";
    }

    private static String said(FieldChange field) {
        if (field.hidden()) {
            return field.path() + " (hidden)";
        }
        return "%s: %s → %s".formatted(field.path(), said(field.before()), said(field.after()));
    }

    private static String said(@Nullable String value) {
        return value == null ? "none" : value;
    }

    private static String escaped(String text) {
        if (text.chars().noneMatch(ChangeDocuments::isControl)) {
            return text;
        }
        try {
            String quoted = JSON.writeValueAsString(text);
            StringBuilder safe = new StringBuilder();
            quoted.substring(1, quoted.length() - 1)
                    .replace("\\\"", "\"")
                    .chars()
                    .forEach(c -> {
                        if (isControl(c)) {
                            safe.append("\\u%04x".formatted(c));
                        } else {
                            safe.append((char) c);
                        }
                    });
            return safe.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Also characters that end a line or turn the direction of the text. */
    private static boolean isControl(int c) {
        return Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || c == '\u2028'
                || c == '\u2029';
    }
}
