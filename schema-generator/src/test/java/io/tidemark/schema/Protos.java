package io.tidemark.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.List;

/** Descriptors for tests: the file {@code k8s.io.api.core.v1} after one with common types. */
final class Protos {
    private static final String META = ".k8s.io.apimachinery.pkg.apis.meta.v1.";
    static final String OBJECT_META = META + "ObjectMeta";
    static final String TIME = META + "Time";
    static final String EXTRA_VALUE = META + "ExtraValue";

    private static final FileDescriptorProto COMMON =
            FileDescriptorProto.newBuilder()
                    .setName("meta")
                    .setPackage("k8s.io.apimachinery.pkg.apis.meta.v1")
                    .addMessageType(message("ObjectMeta", field(1, "name", Type.TYPE_STRING)))
                    .addMessageType(message("Time", field(1, "seconds", Type.TYPE_INT64)))
                    .addMessageType(
                            message("ExtraValue", list(field(1, "items", Type.TYPE_STRING))))
                    .build();

    private Protos() {}

    static List<FileDescriptor> with(DescriptorProto... messages) {
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder()
                        .setName("core")
                        .setPackage("k8s.io.api.core.v1")
                        .addDependency("meta")
                        .addAllMessageType(List.of(messages))
                        .build();
        try {
            FileDescriptor common = FileDescriptor.buildFrom(COMMON, new FileDescriptor[0]);
            return List.of(common, FileDescriptor.buildFrom(file, new FileDescriptor[] {common}));
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static DescriptorProto message(String name, FieldDescriptorProto.Builder... fields) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
        for (FieldDescriptorProto.Builder field : fields) {
            message.addField(field);
        }
        return message.build();
    }

    static FieldDescriptorProto.Builder field(int number, String name, Type type) {
        return FieldDescriptorProto.newBuilder()
                .setNumber(number)
                .setName(name)
                .setType(type)
                .setLabel(Label.LABEL_OPTIONAL);
    }

    /** A field whose type is a message: of this package, or a full name that begins with a dot. */
    static FieldDescriptorProto.Builder field(int number, String name, String type) {
        return field(number, name, Type.TYPE_MESSAGE).setTypeName(type);
    }

    static FieldDescriptorProto.Builder list(FieldDescriptorProto.Builder field) {
        return field.setLabel(Label.LABEL_REPEATED);
    }

    /** A message whose field 1, {@code labels}, is a map from strings to this type. */
    static DescriptorProto withLabels(String name, Type type) {
        DescriptorProto entry =
                message("LabelsEntry", field(1, "key", Type.TYPE_STRING), field(2, "value", type))
                        .toBuilder()
                        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                        .build();
        return message(name, list(field(1, "labels", name + ".LabelsEntry"))).toBuilder()
                .addNestedType(entry)
                .build();
    }
}
