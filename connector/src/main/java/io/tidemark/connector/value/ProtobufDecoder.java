package io.tidemark.connector.value;

import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.record.Bytes;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decodes Kubernetes' protobuf by schema tables, into the version in which the object is served.
 */
public final class ProtobufDecoder implements ValueDecoder {
    private final io.tidemark.kubernetes.KubernetesDecoder decoder =
            new io.tidemark.kubernetes.KubernetesDecoder();

    private final LongAdder unknownFields = new LongAdder();

    @Override
    public Outcome decode(Bytes key, Bytes value, long revision) {
        return switch (decoder.decode(value.array(), revision)) {
            case DecodeResult.Json json -> {
                unknownFields.add(json.unknownFields());
                yield new Outcome.Json(json.json(), json.canonical());
            }
            case DecodeResult.Refused(DecodeResult.Reason reason, String text) ->
                    new Outcome.Undecoded(unreadable(reason), text(reason, text));
        };
    }

    @Override
    public long unknownFields() {
        return unknownFields.sum();
    }

    private static UnreadableReason unreadable(DecodeResult.Reason reason) {
        return switch (reason) {
            case ENCRYPTED -> UnreadableReason.ENCRYPTED;
            case UNKNOWN_KIND -> UnreadableReason.UNKNOWN_KIND;
            case TOO_LARGE -> UnreadableReason.TOO_LARGE;
            case MALFORMED, TOO_DEEP, NOT_PROTOBUF -> UnreadableReason.MALFORMED_PROTOBUF;
        };
    }

    private static String text(DecodeResult.Reason reason, String text) {
        return "protobuf, " + reason.label().replace('_', ' ') + ": " + text;
    }
}
