package io.tidemark.connector.value;

import io.tidemark.connector.value.KubernetesKeys.ExpectedContent;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Classifies a value by its bytes and by what its key requires.
 *
 * @param keys which keys must hold Kubernetes objects
 * @param decoder for Kubernetes' protobuf encoding
 */
public record ValueReader(KubernetesKeys keys, ValueDecoder decoder) {
    private static final Bytes PROTOBUF = Bytes.utf8("k8s\0");
    private static final Bytes ENCRYPTED = Bytes.utf8("k8s:enc:");

    /**
     * Never throws, for any input.
     *
     * @param modRevision becomes the object's resource version
     */
    public ClassifiedValue read(Bytes key, Bytes value, long modRevision) {
        ExpectedContent place = keys.place(key);
        if (place == ExpectedContent.NO_OBJECT) {
            return new ClassifiedValue.Raw();
        }
        if (value.startsWith(PROTOBUF) && keys.isKubernetes(key)) {
            return decoded(key, value, modRevision);
        }
        boolean mustBeObject = place == ExpectedContent.OBJECT;
        if (value.startsWith(ENCRYPTED) && keys.isKubernetes(key)) {
            return new ClassifiedValue.Unreadable(
                    UnreadableReason.ENCRYPTED, "encrypted at rest: " + providerOf(value));
        }
        if (value.length() == 0) {
            return mustBeObject
                    ? new ClassifiedValue.Unreadable(UnreadableReason.EMPTY, "empty value")
                    : new ClassifiedValue.Raw();
        }
        return switch (CanonicalJson.of(value, modRevision)) {
            case CanonicalJson.Outcome.Canonical(Bytes json) ->
                    new ClassifiedValue.KubernetesObject(json);
            case CanonicalJson.Outcome.NoObject(String why) ->
                    mustBeObject
                            ? new ClassifiedValue.Unreadable(
                                    UnreadableReason.NO_OBJECT, "no Kubernetes object: " + why)
                            : new ClassifiedValue.Raw();
            case CanonicalJson.Outcome.Malformed(String why) ->
                    mustBeObject ? malformed(value, why) : new ClassifiedValue.Raw();
        };
    }

    private ClassifiedValue decoded(Bytes key, Bytes value, long modRevision) {
        return switch (decoder.decode(key, value, modRevision)) {
            case ValueDecoder.Outcome.Undecoded(UnreadableReason reason, String why) ->
                    new ClassifiedValue.Unreadable(reason, why);
            case ValueDecoder.Outcome.Json(Bytes json, boolean canonical) when canonical ->
                    new ClassifiedValue.KubernetesObject(json);
            case ValueDecoder.Outcome.Json(Bytes json, _) ->
                    switch (CanonicalJson.of(json, modRevision)) {
                        case CanonicalJson.Outcome.Canonical(Bytes canonical) ->
                                new ClassifiedValue.KubernetesObject(canonical);
                        case CanonicalJson.Outcome.NoObject(String why) ->
                                new ClassifiedValue.Unreadable(
                                        UnreadableReason.MALFORMED_PROTOBUF, "decoded, but " + why);
                        case CanonicalJson.Outcome.Malformed(String why) ->
                                new ClassifiedValue.Unreadable(
                                        UnreadableReason.MALFORMED_PROTOBUF,
                                        "decoded to no JSON: " + why);
                    };
        };
    }

    private static ClassifiedValue malformed(Bytes value, String why) {
        byte first = value.at(0);
        boolean text = first >= ' ' || first == '\n' || first == '\r' || first == '\t';
        return text
                ? new ClassifiedValue.Unreadable(
                        UnreadableReason.MALFORMED_JSON, "malformed JSON: " + why)
                : new ClassifiedValue.Unreadable(
                        UnreadableReason.BINARY, "neither JSON nor protobuf");
    }

    /** The encryption provider's name and scheme, such as aescbc:v1; never key material. */
    private static String providerOf(Bytes value) {
        int end = ENCRYPTED.length();
        int colons = 0;
        while (end < Math.min(value.length(), 64) && colons < 2) {
            if (value.at(end) == ':' && ++colons == 2) {
                break;
            }
            end++;
        }
        byte[] name = value.slice(ENCRYPTED.length(), end).array();
        return new String(name, StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
    }
}
