package io.tidemark.written;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Runtime;
import io.tidemark.record.Bytes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value as an API server stores a built-in kind: the message's fields by the names of the
 * published descriptors, encoded by Google's library and put in the envelope.
 */
final class ProtobufValue {
    private static final byte[] PREFIX = {'k', '8', 's', 0};
    private static final String MESSAGES = "io.kubernetes.client.proto.";

    private ProtobufValue() {}

    /**
     * @param row {@code protobuf}, the message such as {@code V1.Pod}; its {@code apiVersion};
     *     {@code kind}, by default the message's name; {@code fields}
     */
    static Bytes of(JsonNode row) throws ReflectiveOperationException {
        String message = row.path("protobuf").asText();
        Descriptor type =
                (Descriptor)
                        Class.forName(MESSAGES + message.replace('.', '$'))
                                .getMethod("getDescriptor")
                                .invoke(null);
        Runtime.Unknown envelope =
                Runtime.Unknown.newBuilder()
                        .setTypeMeta(
                                Runtime.TypeMeta.newBuilder()
                                        .setApiVersion(row.path("apiVersion").asText())
                                        .setKind(row.path("kind").asText(type.getName())))
                        .setRaw(message(type, row.path("fields")).toByteString())
                        .setContentEncoding("")
                        .setContentType("")
                        .build();
        byte[] value = ByteString.copyFrom(PREFIX).concat(envelope.toByteString()).toByteArray();
        return Bytes.wrap(value);
    }

    private static DynamicMessage message(Descriptor type, JsonNode fields) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (Map.Entry<String, JsonNode> written : fields.properties()) {
            FieldDescriptor field = type.findFieldByName(written.getKey());
            if (field == null) {
                throw new IllegalArgumentException(
                        type.getName() + " has no field " + written.getKey());
            }
            if (field.isMapField()) {
                addEntries(message, field, written.getValue());
            } else if (field.isRepeated()) {
                written.getValue()
                        .forEach(each -> message.addRepeatedField(field, value(field, each)));
            } else {
                message.setField(field, value(field, written.getValue()));
            }
        }
        return message.build();
    }

    private static void addEntries(Message.Builder message, FieldDescriptor map, JsonNode entries) {
        Descriptor type = map.getMessageType();
        for (Map.Entry<String, JsonNode> entry : entries.properties()) {
            FieldDescriptor value = type.findFieldByName("value");
            message.addRepeatedField(
                    map,
                    DynamicMessage.newBuilder(type)
                            .setField(type.findFieldByName("key"), entry.getKey())
                            .setField(value, value(value, entry.getValue()))
                            .build());
        }
    }

    private static Object value(FieldDescriptor field, JsonNode written) {
        @Nullable Object value =
                switch (field.getJavaType()) {
                    case STRING -> written.textValue();
                    case INT -> written.isInt() ? written.asInt() : null;
                    case LONG -> written.isIntegralNumber() ? written.asLong() : null;
                    case BOOLEAN -> written.isBoolean() ? written.asBoolean() : null;
                    case BYTE_STRING -> ByteString.copyFromUtf8(written.asText());
                    case MESSAGE -> message(field.getMessageType(), written);
                    case DOUBLE, FLOAT, ENUM -> null;
                };
        if (value == null) {
            throw new IllegalArgumentException(field.getFullName() + " cannot be " + written);
        }
        return value;
    }
}
