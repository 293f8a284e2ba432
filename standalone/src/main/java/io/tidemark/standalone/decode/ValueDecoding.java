package io.tidemark.standalone.decode;

import io.tidemark.json.CompactJson;
import io.tidemark.json.JsonBuffer;
import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.record.Bytes;

/** Decodes a value as stored in etcd to the JSON of its stored version. */
public final class ValueDecoding {
    private static final String TOO_LARGE = DecodeResult.Reason.TOO_LARGE.label() + ": ";
    private static final String MALFORMED = DecodeResult.Reason.MALFORMED.label() + ": ";

    private final KubernetesDecoder decoder = new KubernetesDecoder();

    /** The result of decoding a value. */
    public sealed interface Outcome {
        /**
         * Compact JSON.
         *
         * @param unknownFields how many fields were left out because the schemas do not have them
         */
        record Json(Bytes json, int unknownFields) implements Outcome {}

        /**
         * The value cannot be decoded.
         *
         * @param why one line: a reason as in the metrics, and an explanation
         */
        record Refused(String why) implements Outcome {}
    }

    /**
     * Never throws. Ignores a trailing line feed, as {@code etcdctl --print-value-only} appends
     * one.
     */
    public Outcome decode(Bytes value) {
        int length = value.length();
        Outcome whole = decodeExactly(value);
        boolean lineFeed = length > 0 && value.at(length - 1) == '\n';
        if (whole instanceof Outcome.Json || !lineFeed) {
            return whole;
        }
        // If this fails too, its reason describes the value without the line feed.
        return decodeExactly(value.slice(0, length - 1));
    }

    private Outcome decodeExactly(Bytes value) {
        if (value.length() == 0) {
            return new Outcome.Refused("the value is empty");
        }
        if (value.at(0) == '{') {
            return json(value.array());
        }
        return switch (decoder.decode(value.array())) {
            case DecodeResult.Json(Bytes json, _, _, int unknownFields, _) ->
                    new Outcome.Json(json, unknownFields);
            case DecodeResult.Refused(DecodeResult.Reason reason, String text) ->
                    new Outcome.Refused(reason.label() + ": " + text);
        };
    }

    private static Outcome json(byte[] value) {
        if (value.length > KubernetesDecoder.DEFAULT_MAX_VALUE_BYTES) {
            return new Outcome.Refused(TOO_LARGE + value.length + " bytes");
        }
        try {
            JsonBuffer out = new JsonBuffer(value.length, KubernetesDecoder.DEFAULT_MAX_JSON_BYTES);
            CompactJson.append(value, 0, value.length, out);
            return new Outcome.Json(Bytes.wrap(out.toByteArray()), 0);
        } catch (MalformedJsonException e) {
            return new Outcome.Refused(MALFORMED + e.getMessage());
        } catch (JsonTooLargeException e) {
            return new Outcome.Refused(TOO_LARGE + e.getMessage());
        }
    }
}
