package io.tidemark.kubernetes.schema;

import io.tidemark.kubernetes.schema.Field.Printed;
import io.tidemark.kubernetes.schema.Field.Shape;
import io.tidemark.kubernetes.schema.Field.Text;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema tables, which the module {@code schema-generator} writes in the build: one file
 * per API package, listed in {@code schema/index}.
 *
 * <pre>
 * package core.v1              qualifies the names below
 * api v1                       the apiVersion of its kinds
 *
 * kind Pod                     a message that is an object
 *   1 metadata meta.v1.ObjectMeta!
 *
 * type PodSpec                 any other message; fields in the order in which they are printed:
 *   2 containers []Container!  number, name, type: []T is a list, {}T a map from strings;
 *                              the trailing mark: when it is printed, see {@link Printed}
 *   2 - VolumeSource           no name: its members are printed among this message's
 *   1 phase string = "Active"  default that the API server sets on reading, if the field is
 *                              absent or empty
 *   0 kind string = "X"        never on the wire
 *
 * kind Job labels=spec.template.metadata.labels
 *                              an object without labels is served with these
 * </pre>
 *
 * A line that starts with {@code #} is a comment. An invalid table is a build error and throws
 * {@link IllegalStateException} with the file and line.
 */
public final class SchemaTables {
    private static final Map<String, ValueType> VALUE_TYPES = valueTypes();

    private final Map<String, MessageType> messages = new HashMap<>();
    private final Map<String, Map<String, MessageType>> kinds = new LinkedHashMap<>();
    private final Map<MessageType, String> labelPaths = new HashMap<>();
    private final Map<String, String> defined = new HashMap<>();
    private final CRC32C checksum = new CRC32C();

    private String packageName = "";
    private String apiVersion = "";
    private @Nullable MessageType current;
    private List<Field> fields = new ArrayList<>();

    private SchemaTables() {}

    /** Loaded once, on first use. */
    private static final class Shared {
        static final Schema SCHEMA = load();
    }

    /** The tables of this module. */
    public static Schema shared() {
        return Shared.SCHEMA;
    }

    private static Schema load() {
        SchemaTables tables = new SchemaTables();
        for (String file : lines("index")) {
            tables.read(file, lines(file));
        }
        return tables.finish();
    }

    private static Map<String, ValueType> valueTypes() {
        Map<String, ValueType> types = new HashMap<>();
        for (ValueType type : ValueType.values()) {
            types.put(type.tableName(), type);
        }
        types.remove("");
        return Map.copyOf(types);
    }

    private static List<String> lines(String resource) {
        try (InputStream in = SchemaTables.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no schema table " + resource);
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(String file, List<String> lines) {
        apiVersion = "";
        for (int i = 0; i < lines.size(); i++) {
            checksum.update((lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                line(line.split(" +", 5));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalStateException(file + ":" + (i + 1) + ": " + line, e);
            }
        }
        close();
    }

    private void line(String[] words) {
        switch (words[0]) {
            case "package" -> packageName = words[1];
            case "api" -> apiVersion = words[1];
            case "type" -> open(words[1]);
            case "kind" -> {
                MessageType type = open(words[1]);
                kinds.computeIfAbsent(apiVersion, _ -> new HashMap<>()).put(words[1], type);
                if (words.length > 2) {
                    labelPaths.put(type, words[2].substring("labels=".length()));
                }
            }
            default -> {
                Text byDefault = words.length < 5 ? null : new Text(words[4]);
                fields.add(field(Integer.parseInt(words[0]), words[1], words[2], byDefault));
            }
        }
    }

    private MessageType open(String name) {
        close();
        MessageType type = message(name);
        if (defined.put(type.name(), packageName) != null) {
            throw new IllegalArgumentException(type.name() + " is defined twice");
        }
        current = type;
        return type;
    }

    private void close() {
        if (current != null) {
            current.define(fields);
        }
        current = null;
        fields = new ArrayList<>();
    }

    private Field field(int number, String name, String typeAndMark, @Nullable Text byDefault) {
        Printed printed = Printed.UNLESS_EMPTY;
        String rest = typeAndMark;
        if (rest.endsWith("*!")) {
            printed = Printed.ALWAYS_OR_NULL;
            rest = rest.substring(0, rest.length() - 2);
        } else if (rest.endsWith("*") || rest.endsWith("!")) {
            printed = rest.endsWith("*") ? Printed.WHEN_PRESENT : Printed.ALWAYS;
            rest = rest.substring(0, rest.length() - 1);
        }
        Shape shape = name.equals("-") ? Shape.INLINE : Shape.ONE;
        if (rest.startsWith("[]") || rest.startsWith("{}")) {
            shape = rest.startsWith("[]") ? Shape.LIST : Shape.MAP;
            rest = rest.substring(2);
        }
        ValueType type = VALUE_TYPES.getOrDefault(rest, ValueType.MESSAGE);
        Text member = new Text(",\"" + name + "\":");
        return new Field(
                number, name, member, printed, shape, type, messageOf(type, rest), byDefault);
    }

    private @Nullable MessageType messageOf(ValueType type, String name) {
        return switch (type) {
            case MESSAGE -> message(name);
            case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> message("JSONSchemaProps");
            case STRING,
                    BOOL,
                    INT32,
                    INT64,
                    DOUBLE,
                    BYTES,
                    TIME,
                    MICRO_TIME,
                    DURATION,
                    QUANTITY,
                    INT_OR_STRING,
                    RAW_JSON,
                    STRINGS,
                    RESOURCE_VERSION ->
                    null;
        };
    }

    private MessageType message(String name) {
        String full = name.contains(".") ? name : packageName + "." + name;
        return messages.computeIfAbsent(full, MessageType::new);
    }

    private Schema finish() {
        for (String name : messages.keySet()) {
            if (!defined.containsKey(name)) {
                throw new IllegalStateException("no schema table defines " + name);
            }
        }
        messages.values().forEach(MessageType::link);
        labelPaths.forEach((kind, path) -> kind.labelsPath(fieldNumbers(kind, path)));
        return new Schema(kinds, messages, Long.toHexString(checksum.getValue()));
    }

    private static List<Integer> fieldNumbers(MessageType kind, String path) {
        List<Integer> numbers = new ArrayList<>();
        MessageType type = kind;
        for (String name : path.split("\\.")) {
            Field field = type.field(type.slotOf(name));
            numbers.add(field.number());
            type = field.message() == null ? type : field.message();
        }
        return numbers;
    }
}
