package io.tidemark.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.tidemark.schema.Exceptions.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * From descriptors and exceptions to tables: the kinds that are stored, and all messages that they
 * contain. A kind is a message with object metadata and a list type ({@code Pod}, {@code PodList}).
 * The order of declaration is that of the Go struct, in which an API server prints.
 */
final class SchemaGenerator {
    private final Exceptions exceptions;
    private final Map<String, List<TableField>> tables = new LinkedHashMap<>();
    private final Set<String> kinds = new HashSet<>();

    private SchemaGenerator(Exceptions exceptions) {
        this.exceptions = exceptions;
    }

    /**
     * The text of each table, by package.
     *
     * @throws IllegalStateException when an exception applies to nothing, or a message is missing
     */
    static Map<String, String> generate(
            Collection<FileDescriptor> descriptors, List<String> exceptionLines) {
        SchemaGenerator generator = new SchemaGenerator(Exceptions.parse(exceptionLines));
        generator.addPublished(descriptors);
        generator.exceptions.changes.forEach(generator::apply);
        return generator.texts();
    }

    private void addPublished(Collection<FileDescriptor> descriptors) {
        for (FileDescriptor file : descriptors) {
            for (Descriptor message : file.getMessageTypes()) {
                String name = ValueTypes.tableName(message);
                if (exceptions.published.contains(packageOf(name))) {
                    tables.put(name, fields(message));
                    if (isStoredKind(message)) {
                        kinds.add(name);
                    }
                }
            }
        }
    }

    private boolean isStoredKind(Descriptor message) {
        String name = ValueTypes.tableName(message);
        FieldDescriptor metadata = message.findFieldByName("metadata");
        return exceptions.stored.contains(name)
                || metadata != null
                        && ValueTypes.of(metadata).equals("meta.v1.ObjectMeta")
                        && message.getFile().findMessageTypeByName(message.getName() + "List")
                                != null
                        && !exceptions.notStored.contains(name);
    }

    private List<TableField> fields(Descriptor message) {
        List<TableField> fields = new ArrayList<>();
        message.getFields().forEach(field -> fields.add(field(field)));
        return fields;
    }

    private TableField field(FieldDescriptor field) {
        boolean isMap = field.isMapField();
        String type = ValueTypes.of(isMap ? field.getMessageType().findFieldByNumber(2) : field);
        String shape = isMap ? "{}" : field.isRepeated() ? "[]" : "";
        String name = jsonName(field.getName());
        boolean isMessage = !ValueTypes.isOne(type);
        if (isMessage && shape.isEmpty() && exceptions.embedded.contains(name)) {
            return new TableField(field.getNumber(), "-", shape, type, "", "");
        }
        String message = ValueTypes.tableName(field.getContainingType());
        String mark = exceptions.rules.mark(message, shape, name, type);
        return new TableField(field.getNumber(), name, shape, type, mark, "");
    }

    /** Some Go fields are exported without a protobuf name; extensions have dashes in JSON. */
    static String jsonName(String name) {
        if (name.startsWith("xKubernetes")) {
            return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        }
        boolean isWord = name.length() > 1 && Character.isLowerCase(name.charAt(1));
        return isWord ? Character.toLowerCase(name.charAt(0)) + name.substring(1) : name;
    }

    private void apply(Change change) {
        switch (change) {
            case Change.Copy copy -> copy(copy);
            case Change.Message message -> {
                tables.put(message.name(), parsed(message.lines(), message.name()));
                if (message.isKind()) {
                    kinds.add(message.name());
                }
            }
            case Change.Patch patch -> {
                List<Map.Entry<String, List<TableField>>> found =
                        tables(name -> ("." + name).endsWith("." + patch.name()));
                if (found.isEmpty()) {
                    throw new IllegalStateException("exceptions: no message " + patch.name());
                }
                found.forEach(
                        table -> patch(table.getValue(), parsed(patch.lines(), table.getKey())));
            }
        }
    }

    private void copy(Change.Copy copy) {
        for (String kind : copy.kinds()) {
            if (!kinds.contains(copy.from() + "." + kind)) {
                throw new IllegalStateException(
                        "exceptions: copy %s: %s has no kind %s"
                                .formatted(copy.packageName(), copy.from(), kind));
            }
        }
        for (Map.Entry<String, List<TableField>> table :
                tables(name -> packageOf(name).equals(copy.from()))) {
            List<TableField> fields = new ArrayList<>();
            for (TableField field : table.getValue()) {
                fields.add(field.moved(copy.from(), copy.packageName()));
            }
            String name = table.getKey();
            String simple = name.substring(copy.from().length() + 1);
            String moved = copy.packageName() + "." + simple;
            tables.put(moved, fields);
            if (kinds.contains(name) && (copy.kinds().isEmpty() || copy.kinds().contains(simple))) {
                kinds.add(moved);
            }
        }
    }

    private List<Map.Entry<String, List<TableField>>> tables(Predicate<String> names) {
        return tables.entrySet().stream().filter(table -> names.test(table.getKey())).toList();
    }

    private static List<TableField> parsed(List<String> lines, String name) {
        List<TableField> fields = new ArrayList<>();
        lines.forEach(line -> fields.add(TableField.parse(line, packageOf(name))));
        return fields;
    }

    private static void patch(List<TableField> fields, List<TableField> changes) {
        int last = -1;
        for (TableField change : changes) {
            List<Integer> numbers = fields.stream().map(TableField::number).toList();
            int at = numbers.indexOf(change.number());
            if (at >= 0) {
                fields.set(at, change);
            } else {
                at = last + 1;
                fields.add(at, change);
            }
            last = at;
        }
    }

    private Map<String, String> texts() {
        Set<String> needed = needed();
        Set<String> unused = exceptions.rules.unused();
        unused.addAll(exceptions.stored);
        unused.addAll(exceptions.notStored);
        unused.addAll(exceptions.labels.keySet());
        unused.removeAll(tables.keySet());
        if (!unused.isEmpty()) {
            throw new IllegalStateException("exceptions apply to nothing: " + unused);
        }
        Map<String, String> texts = new TreeMap<>();
        exceptions.apiVersions.forEach((packageName, apiVersion) -> {
            StringBuilder text = new StringBuilder("package " + packageName + "\n");
            if (!apiVersion.isEmpty()) {
                text.append("api ").append(apiVersion).append('\n');
            }
            tables(name -> packageOf(name).equals(packageName) && needed.contains(name))
                    .forEach(table -> append(text, table.getKey(), table.getValue()));
            texts.put(packageName, text.toString());
        });
        return texts;
    }

    private void append(StringBuilder text, String name, List<TableField> fields) {
        String packageName = packageOf(name);
        text.append(kinds.contains(name) ? "\nkind " : "\ntype ")
                .append(name.substring(packageName.length() + 1));
        if (exceptions.labels.containsKey(name)) {
            text.append(" labels=").append(exceptions.labels.get(name));
        }
        text.append('\n');
        fields.forEach(field -> text.append(field.line(packageName)).append('\n'));
    }

    /** The messages of stored objects. */
    private Set<String> needed() {
        Deque<String> open = new ArrayDeque<>(kinds);
        open.addAll(exceptions.used);
        Set<String> found = new HashSet<>();
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!found.add(name)) {
                continue;
            }
            List<TableField> fields = tables.get(name);
            if (fields == null || !exceptions.apiVersions.containsKey(packageOf(name))) {
                throw new IllegalStateException("no descriptor and no exception defines " + name);
            }
            fields.stream()
                    .map(TableField::type)
                    .filter(type -> !ValueTypes.isOne(type))
                    .forEach(open::add);
            if (fields.stream().anyMatch(field -> field.type().startsWith("SchemaOr"))) {
                open.add(packageOf(name) + ".JSONSchemaProps");
            }
        }
        return found;
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }
}
