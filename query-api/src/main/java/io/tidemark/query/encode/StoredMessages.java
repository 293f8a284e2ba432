package io.tidemark.query.encode;

import io.tidemark.json.JsonMembers;
import io.tidemark.kubernetes.encode.EncodeException;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Encodes objects in the version in which they are stored, for stores that keep them so. An object
 * that cannot be encoded has no message, and neither has a Secret.
 */
public record StoredMessages() implements ProtobufEncoding {
    @Override
    public String version() {
        return KubernetesEncoder.version();
    }

    @Override
    public Optional<Message> encode(StoredObject object) {
        if (!object.isKubernetes() || object.isSecret()) {
            return Optional.empty();
        }
        String apiVersion = text(object, "apiVersion");
        String kind = text(object, "kind");
        if (!isKept(kind)) {
            return Optional.empty();
        }
        return KubernetesEncoder.of(apiVersion, kind)
                .flatMap(encoder -> message(encoder, object))
                .map(bytes -> new Message(ProtobufForm.type(apiVersion, kind), bytes));
    }

    /** Whether stores keep messages of a kind. */
    static boolean isKept(String kind) {
        return !kind.equals("Secret");
    }

    private static Optional<byte[]> message(KubernetesEncoder encoder, StoredObject object) {
        ProtobufWriter out = new ProtobufWriter(object.valueLength());
        try {
            encoder.message(object.stored(), object.valueOffset(), 0, out);
            return Optional.of(out.toByteArray());
        } catch (EncodeException _) {
            return Optional.empty(); // A request gets the error, with the member that is wrong.
        }
    }

    private static String text(StoredObject object, String member) {
        byte[] stored = object.stored();
        return JsonMembers.find(stored, object.valueOffset(), stored.length, member)
                .filter(found -> stored[found.valueFrom()] == '"')
                .map(found ->
                        new String(
                                stored,
                                found.valueFrom() + 1,
                                found.valueTo() - found.valueFrom() - 2,
                                StandardCharsets.UTF_8))
                .orElse("");
    }
}
