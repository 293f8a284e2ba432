package io.tidemark.kubernetes;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V1alpha1Apiserverinternal;
import io.kubernetes.client.proto.V1beta1Admissionregistration;
import io.kubernetes.client.proto.V1beta1Apiextensions;
import io.kubernetes.client.proto.V1beta1Certificates;
import io.kubernetes.client.proto.V1beta1Storage;
import io.kubernetes.client.proto.V1beta1Storagemigration;
import io.kubernetes.client.proto.V2Autoscaling;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kubernetes' published schemas, from a client library. */
final class PublicSchemas {
    private static final List<FileDescriptor> FILES =
            List.of(
                    Meta.getDescriptor(),
                    V1.getDescriptor(),
                    V1Admissionregistration.getDescriptor(),
                    V1beta1Admissionregistration.getDescriptor(),
                    V1Apiextensions.getDescriptor(),
                    V1beta1Apiextensions.getDescriptor(),
                    V1Apps.getDescriptor(),
                    V1Autoscaling.getDescriptor(),
                    V2Autoscaling.getDescriptor(),
                    V1Batch.getDescriptor(),
                    V1Certificates.getDescriptor(),
                    V1beta1Certificates.getDescriptor(),
                    V1Coordination.getDescriptor(),
                    V1Discovery.getDescriptor(),
                    V1Events.getDescriptor(),
                    V1Flowcontrol.getDescriptor(),
                    V1Networking.getDescriptor(),
                    V1Node.getDescriptor(),
                    V1Policy.getDescriptor(),
                    V1Rbac.getDescriptor(),
                    V1Resource.getDescriptor(),
                    V1Scheduling.getDescriptor(),
                    V1Storage.getDescriptor(),
                    V1beta1Storage.getDescriptor(),
                    V1alpha1Apiserverinternal.getDescriptor(),
                    V1beta1Storagemigration.getDescriptor());

    private PublicSchemas() {}

    /** By the name in the schema tables: last two parts of the package, then the message's name. */
    static Map<String, Descriptor> messages() {
        Map<String, Descriptor> messages = new HashMap<>();
        for (FileDescriptor file : FILES) {
            for (Descriptor message : file.getMessageTypes()) {
                messages.put(tableName(message), message);
            }
        }
        return messages;
    }

    static String tableName(Descriptor message) {
        String[] parts = message.getFullName().split("\\.");
        return String.join(".", List.of(parts).subList(parts.length - 3, parts.length));
    }
}
