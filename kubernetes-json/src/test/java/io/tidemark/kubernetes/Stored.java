package io.tidemark.kubernetes;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;

/** Values as an API server stores them, written with a client library's message classes. */
final class Stored {
    private static final byte[] PREFIX = {'k', '8', 's', 0};

    private Stored() {}

    static byte[] value(String apiVersion, String kind, MessageLite object) {
        return value(apiVersion, kind, object.toByteString());
    }

    static byte[] value(String apiVersion, String kind, ByteString raw) {
        return withPrefix(
                Runtime.Unknown.newBuilder()
                        .setTypeMeta(
                                Runtime.TypeMeta.newBuilder()
                                        .setApiVersion(apiVersion)
                                        .setKind(kind))
                        .setRaw(raw)
                        .setContentEncoding("")
                        .setContentType("")
                        .build());
    }

    static byte[] withPrefix(Runtime.Unknown envelope) {
        return ByteString.copyFrom(PREFIX).concat(envelope.toByteString()).toByteArray();
    }

    static Resource.Quantity quantity(String text) {
        return Resource.Quantity.newBuilder().setString(text).build();
    }

    static Meta.Time time(long epochSeconds) {
        return Meta.Time.newBuilder().setSeconds(epochSeconds).setNanos(0).build();
    }

    static IntStr.IntOrString port(int number) {
        return IntStr.IntOrString.newBuilder().setType(0).setIntVal(number).build();
    }

    static IntStr.IntOrString portName(String name) {
        return IntStr.IntOrString.newBuilder().setType(1).setStrVal(name).build();
    }

    /** Metadata as stored, with the empty strings that the API server writes. */
    static Meta.ObjectMeta.Builder metadata(String namespace, String name) {
        return Meta.ObjectMeta.newBuilder()
                .setName(name)
                .setGenerateName("")
                .setNamespace(namespace)
                .setSelfLink("")
                .setUid("uid-1")
                .setResourceVersion("")
                .setGeneration(0)
                .setCreationTimestamp(time(1_763_712_000));
    }
}
