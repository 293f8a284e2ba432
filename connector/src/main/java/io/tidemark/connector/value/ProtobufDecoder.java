package io.tidemark.connector.value;

import io.tidemark.kubernetes.Decoded;
import io.tidemark.record.Bytes;

/** Kubernetes' protobuf by its schema tables, in the version in which the object is served. */
public final class ProtobufDecoder implements KubernetesDecoder {
    private final io.tidemark.kubernetes.KubernetesDecoder decoder =
            new io.tidemark.kubernetes.KubernetesDecoder();

    @Override
    public Outcome decode(Bytes key, Bytes value, long revision) {
        return switch (decoder.decode(value.array(), revision)) {
            case Decoded.Json json -> new Outcome.Json(json.json());
            case Decoded.Refused(Decoded.Reason reason, String text) ->
                    new Outcome.Undecoded(reason.label() + ": " + text);
        };
    }
}
