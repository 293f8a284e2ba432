package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.tidemark.kubernetes.Field.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The schema tables against Kubernetes' published schemas. */
class SchemaTablesTest {
    /** Added after the library's version. */
    private static final Set<String> NEWER =
            Set.of("certificates.v1beta1.PodCertificateRequestSpec.stubPKCS10Request");

    private final Schema schema = SchemaTables.shared();
    private final Map<String, Descriptor> published = PublicSchemas.messages();

    @Test
    void fieldsMatchThePublishedSchemas() {
        List<String> faults = new ArrayList<>();
        int compared = 0;
        for (MessageType message : schema.messages().values()) {
            Descriptor descriptor = published.get(message.name());
            if (descriptor == null) {
                continue;
            }
            for (int slot = 0; slot < message.fieldCount(); slot++) {
                Field field = message.field(slot);
                FieldDescriptor fieldDescriptor = descriptor.findFieldByNumber(field.number());
                compared++;
                String name = message + "." + field.jsonName();
                if (field.number() != 0
                        && !NEWER.contains(name)
                        && !agree(field, fieldDescriptor)) {
                    faults.add(name + " is " + fieldDescriptor);
                }
            }
        }
        assertThat(faults).isEmpty();
        assertThat(compared).isGreaterThan(1500);
    }

    @Test
    void tablesHaveAllPublishedFields() {
        Map<String, List<String>> missing = new TreeMap<>();
        for (MessageType message : schema.messages().values()) {
            Descriptor descriptor = published.get(message.name());
            if (descriptor == null) {
                continue;
            }
            for (FieldDescriptor field : descriptor.getFields()) {
                if (message.slotOf(field.getNumber()) < 0) {
                    missing.computeIfAbsent(message.name(), _ -> new ArrayList<>())
                            .add(field.getNumber() + " " + field.getName());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void hasEveryPublishedStoredKind() {
        List<String> notStored =
                List.of(
                        "Binding",
                        "ComponentStatus",
                        "PodStatusResult",
                        "SerializedReference",
                        "Scale",
                        "Eviction",
                        "TokenRequest",
                        "EventSeries");
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, Descriptor> entry : published.entrySet()) {
            String name = entry.getKey();
            String kind = name.substring(name.lastIndexOf('.') + 1);
            FieldDescriptor metadata = entry.getValue().findFieldByNumber(1);
            boolean isObject =
                    metadata != null
                            && metadata.getJavaType() == JavaType.MESSAGE
                            && metadata.getMessageType().getName().equals("ObjectMeta")
                            && entry.getValue().getFields().size() > 1
                            && !name.endsWith("Spec");
            if (isObject && !notStored.contains(kind) && !schema.messages().containsKey(name)) {
                missing.add(name);
            }
        }
        assertThat(missing)
                .as("kinds whose stored version is another one")
                .containsExactlyInAnyOrder(
                        "admissionregistration.v1beta1.MutatingWebhookConfiguration",
                        "admissionregistration.v1beta1.ValidatingWebhookConfiguration",
                        "certificates.v1beta1.CertificateSigningRequest",
                        "storage.v1beta1.CSIDriver",
                        "storage.v1beta1.CSINode",
                        "storage.v1beta1.CSIStorageCapacity",
                        "storage.v1beta1.StorageClass",
                        "storage.v1beta1.VolumeAttachment");
    }

    private static boolean agree(Field field, FieldDescriptor published) {
        if (published == null) {
            return false;
        }
        if (published.isMapField()) {
            FieldDescriptor value = published.getMessageType().findFieldByNumber(2);
            return field.shape() == Shape.MAP && sameType(field, value);
        }
        return (field.shape() == Shape.LIST) == published.isRepeated()
                && (field.shape() == Shape.INLINE || sameName(field, published))
                && sameType(field, published);
    }

    /** {@code $ref} is {@code ref} in the schemas, {@code x-kubernetes-…} is in camel case. */
    private static boolean sameName(Field field, FieldDescriptor published) {
        String name = field.jsonName().replaceAll("[^A-Za-z0-9]", "");
        return name.equalsIgnoreCase(published.getName());
    }

    private static boolean sameType(Field field, FieldDescriptor published) {
        return switch (published.getType()) {
            case STRING ->
                    field.type() == ValueType.STRING || field.type() == ValueType.RESOURCE_VERSION;
            case BYTES -> field.type() == ValueType.BYTES;
            case BOOL -> field.type() == ValueType.BOOL;
            case INT32 -> field.type() == ValueType.INT32;
            case INT64 -> field.type() == ValueType.INT64;
            case DOUBLE -> field.type() == ValueType.DOUBLE;
            case MESSAGE -> sameMessage(field, published.getMessageType());
            default -> false;
        };
    }

    private static boolean sameMessage(Field field, Descriptor published) {
        return switch (field.type()) {
            case MESSAGE ->
                    field.message().name().equals(PublicSchemas.tableName(published))
                            || field.message().name().equals("apps.v1.VolumeClaimTemplate");
            case TIME -> published.getName().equals("Time");
            case MICRO_TIME -> published.getName().equals("MicroTime");
            case DURATION -> published.getName().equals("Duration");
            case QUANTITY -> published.getName().equals("Quantity");
            case INT_OR_STRING -> published.getName().equals("IntOrString");
            case RAW_JSON ->
                    List.of("FieldsV1", "RawExtension", "JSON").contains(published.getName());
            case STRINGS -> published.findFieldByName("items") != null;
            case SCHEMA_OR_ARRAY -> published.getName().equals("JSONSchemaPropsOrArray");
            case SCHEMA_OR_BOOL -> published.getName().equals("JSONSchemaPropsOrBool");
            case SCHEMA_OR_STRINGS -> published.getName().equals("JSONSchemaPropsOrStringArray");
            case STRING, BOOL, INT32, INT64, DOUBLE, BYTES, RESOURCE_VERSION -> false;
        };
    }
}
