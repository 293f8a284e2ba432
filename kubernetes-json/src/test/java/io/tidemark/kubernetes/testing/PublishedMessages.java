package io.tidemark.kubernetes.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

/** Reads objects by the descriptors that Kubernetes publishes, apart from our own tables. */
public final class PublishedMessages {
    private static final String CLASSES = "io/kubernetes/client/proto/";

    private final Map<String, Descriptor> byTableName = new HashMap<>();

    public PublishedMessages()
            throws IOException, URISyntaxException, ReflectiveOperationException {
        Path library =
                Path.of(Meta.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> files = new ArrayList<>();
        try (JarFile jar = new JarFile(library.toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(CLASSES) && name.endsWith(".class"))
                    .filter(name -> !name.contains("$"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .forEach(files::add);
        }
        for (String file : files) {
            Object descriptor = Class.forName(file).getMethod("getDescriptor").invoke(null);
            for (Descriptor message : ((FileDescriptor) descriptor).getMessageTypes()) {
                String[] parts = message.getFullName().split("\\.");
                int from = Math.max(0, parts.length - 3);
                byTableName.put(
                        String.join(".", List.of(parts).subList(from, parts.length)), message);
            }
        }
    }

    public boolean knows(String tableName) {
        return byTableName.containsKey(tableName);
    }

    /**
     * All that an object or list in its envelope says, apart from fields with zero values, which a
     * writer may leave out. Bytes are ISO 8859-1 texts.
     *
     * @param tableName such as {@code core.v1.Pod}
     * @throws IllegalArgumentException when nothing of that name is published
     */
    public Map<String, Object> content(String tableName, byte[] message)
            throws InvalidProtocolBufferException {
        Descriptor type = byTableName.get(tableName);
        if (type == null) {
            throw new IllegalArgumentException("no published message " + tableName);
        }
        return content(DynamicMessage.parseFrom(type, message));
    }

    /** The same of a message that was read. */
    public static Map<String, Object> content(Message message) {
        Map<String, Object> content = new TreeMap<>();
        message.getUnknownFields()
                .asMap()
                .forEach((number, value) -> content.put("unknown " + number, value.toString()));
        message.getAllFields()
                .forEach((field, value) -> {
                    Object shown = field.isMapField() ? entries(value) : values(field, value);
                    if (!isZero(field, shown)) {
                        content.put(field.getName(), shown);
                    }
                });
        return content;
    }

    private static Map<String, Object> entries(Object entries) {
        Map<String, Object> map = new TreeMap<>();
        for (Object entry : (List<?>) entries) {
            Message message = (Message) entry;
            Descriptor type = message.getDescriptorForType();
            map.put(
                    message.getField(type.findFieldByName("key")).toString(),
                    one(message.getField(type.findFieldByName("value"))));
        }
        return map;
    }

    private static Object values(FieldDescriptor field, Object value) {
        return field.isRepeated()
                ? ((List<?>) value).stream().map(PublishedMessages::one).toList()
                : one(value);
    }

    private static Object one(Object value) {
        return switch (value) {
            // A message around a list of texts.
            case Message verbs when verbs.getDescriptorForType().getName().equals("Verbs") ->
                    content(verbs).getOrDefault("items", List.of());
            case Message message -> content(message);
            case ByteString bytes -> bytes.toString(StandardCharsets.ISO_8859_1);
            default -> value;
        };
    }

    private static boolean isZero(FieldDescriptor field, Object shown) {
        return shown instanceof Map<?, ?> message && message.isEmpty()
                || !field.isRepeated()
                        && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
                        && shown.equals(field.getDefaultValue());
    }
}
