package io.tidemark.golden.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.kubernetes.testing.PublishedMessages;
import io.tidemark.kubernetes.wire.FieldCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What documents in Kubernetes' protobuf say, as JSON for comparisons: read by the published
 * descriptors, without fields that have zero values, with the names of the fields.
 */
public final class ProtobufJson {
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final int LENGTH = Integer.BYTES;

    /** Kinds of the API itself, whose apiVersion is v1 or empty. */
    private static final Set<String> META =
            Set.of("Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList");

    private static final PublishedMessages PUBLISHED = published();

    private ProtobufJson() {}

    private static PublishedMessages published() {
        try {
            return new PublishedMessages();
        } catch (Exception e) {
            throw new IllegalStateException("no descriptors", e);
        }
    }

    /**
     * One document in its envelope.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static JsonNode document(byte[] body) {
        ProtobufDocument document = ProtobufDocument.of(body);
        try {
            return document(document.apiVersion(), document.kind(), document.message());
        } catch (IOException e) {
            throw new IllegalArgumentException("no protobuf", e);
        }
    }

    /** Of an answer; a text that says why, if it is none. */
    public static JsonNode answered(byte[] body) {
        try {
            return document(body);
        } catch (IllegalArgumentException e) {
            return GoldenRecordings.JSON.getNodeFactory().textNode(e.toString());
        }
    }

    private static JsonNode document(String apiVersion, String kind, byte[] message)
            throws IOException {
        ObjectNode document =
                GoldenRecordings.JSON
                        .createObjectNode()
                        .put("kind", kind)
                        .put("apiVersion", apiVersion);
        Map<String, Object> content =
                apiVersion.startsWith("apidiscovery.k8s.io/")
                        ? DiscoveryMessages.content(kind, message)
                        : PUBLISHED.content(packageOf(apiVersion, kind) + "." + kind, message);
        // Through a text, so that numbers have the types that a parser gives them.
        String text = GoldenRecordings.JSON.valueToTree(content).toString();
        document.setAll((ObjectNode) GoldenRecordings.JSON.readTree(text));
        return document;
    }

    /** Without empty lists, which protobuf does not have: an edit may have emptied one. */
    public static JsonNode withoutEmptyLists(JsonNode document) {
        if (document instanceof ObjectNode object) {
            object.properties().forEach(member -> withoutEmptyLists(member.getValue()));
            object.removeIf(value -> value.isArray() && value.isEmpty());
        } else {
            document.forEach(ProtobufJson::withoutEmptyLists);
        }
        return document;
    }

    /** {@code rbac.v1} for {@code rbac.authorization.k8s.io/v1}. */
    private static String packageOf(String apiVersion, String kind) {
        if (META.contains(kind)) {
            return "meta.v1";
        }
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "core" : apiVersion.substring(0, slash).split("\\.")[0];
        return group + "." + apiVersion.substring(slash + 1);
    }

    /** The whole frames of a stream of watch events. */
    public static List<JsonNode> events(byte[] stream) {
        List<JsonNode> events = new ArrayList<>();
        ByteBuffer left = ByteBuffer.wrap(stream);
        while (left.remaining() >= LENGTH
                && left.remaining() - LENGTH >= left.getInt(left.position())) {
            byte[] frame = new byte[left.getInt()];
            left.get(frame);
            ObjectNode event = GoldenRecordings.JSON.createObjectNode();
            event.put("type", new String(field(frame, 1), StandardCharsets.UTF_8));
            event.set("object", answered(field(field(frame, 2), 1)));
            events.add(event);
        }
        return events;
    }

    private static byte[] field(byte[] message, int number) {
        byte[] value = {};
        FieldCursor fields = new FieldCursor(message, 0, message.length);
        while (fields.next()) {
            if (fields.number() == number) {
                value = Arrays.copyOfRange(message, fields.from(), fields.to());
            }
        }
        return value;
    }
}
