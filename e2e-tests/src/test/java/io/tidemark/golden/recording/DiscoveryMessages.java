package io.tidemark.golden.recording;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.kubernetes.client.proto.Meta;
import io.tidemark.kubernetes.testing.PublishedMessages;
import java.util.List;
import java.util.Map;

/**
 * The messages of aggregated discovery, which the library of published ones lacks. Field numbers
 * are those of the public {@code apidiscovery/v2/generated.proto}.
 */
final class DiscoveryMessages {
    private static final String META = ".k8s.io.apimachinery.pkg.apis.meta.v1.";
    private static final List<String> MESSAGES =
            List.of(
                    "APIGroupDiscoveryList metadata:%sListMeta items:*APIGroupDiscovery"
                            .formatted(META),
                    "APIGroupDiscovery metadata:%sObjectMeta versions:*APIVersionDiscovery"
                            .formatted(META),
                    "APIVersionDiscovery version resources:*APIResourceDiscovery freshness",
                    "APIResourceDiscovery resource responseKind:%sGroupVersionKind scope"
                                    .formatted(META)
                            + " singularResource verbs* shortNames* categories*"
                            + " subresources:*APISubresourceDiscovery",
                    "APISubresourceDiscovery subresource responseKind:%1$sGroupVersionKind"
                                    .formatted(META)
                            + " acceptedTypes:*%1$sGroupVersionKind verbs*".formatted(META));
    private static final FileDescriptor FILE = file();

    private DiscoveryMessages() {}

    private static FileDescriptor file() {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder().setName("apidiscovery");
        file.addDependency(Meta.getDescriptor().getName());
        for (String line : MESSAGES) {
            String[] words = line.split(" ");
            DescriptorProto.Builder message = file.addMessageTypeBuilder().setName(words[0]);
            for (int number = 1; number < words.length; number++) {
                message.addField(field(words[number], number));
            }
        }
        try {
            return FileDescriptor.buildFrom(
                    file.build(), new FileDescriptor[] {Meta.getDescriptor()});
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A text, or a message of the type after the colon; a star marks a list. */
    private static FieldDescriptorProto.Builder field(String word, int number) {
        String[] parts = word.replace("*", "").split(":");
        FieldDescriptorProto.Builder field =
                FieldDescriptorProto.newBuilder()
                        .setName(parts[0])
                        .setNumber(number)
                        .setLabel(word.contains("*") ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
        return parts.length == 1
                ? field.setType(Type.TYPE_STRING)
                : field.setType(Type.TYPE_MESSAGE).setTypeName(parts[1]);
    }

    static Map<String, Object> content(String kind, byte[] message)
            throws InvalidProtocolBufferException {
        Descriptor type = FILE.findMessageTypeByName(kind);
        return PublishedMessages.content(DynamicMessage.parseFrom(type, message));
    }
}
