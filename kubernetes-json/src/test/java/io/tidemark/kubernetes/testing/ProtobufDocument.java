package io.tidemark.kubernetes.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** A response in Kubernetes' protobuf: an object, a list, or an event's object. */
public record ProtobufDocument(String apiVersion, String kind, byte[] message) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An event of a watch. */
    public record Event(String type, ProtobufDocument object) {
        /**
         * TYPE name@resourceVersion, or END for the name of the bookmark after the initial events.
         */
        public String shown() throws IOException {
            if (type.equals("ERROR")) {
                return "ERROR " + object.kind();
            }
            JsonNode metadata = object.json().path("metadata");
            boolean end = metadata.path("annotations").has("k8s.io/initial-events-end");
            return "%s %s@%s"
                    .formatted(
                            type,
                            end ? "END" : metadata.path("name").asText(),
                            metadata.path("resourceVersion").asText());
        }
    }

    public static ProtobufDocument of(byte[] body) {
        if (!Envelope.begins(body)) {
            throw new IllegalArgumentException(
                    "no protobuf: " + new String(body, StandardCharsets.UTF_8));
        }
        // Discovery's documents have no apiVersion, which stored objects must have.
        byte[] unknown = Arrays.copyOfRange(body, Envelope.START, body.length);
        byte[] type = field(unknown, 1);
        return new ProtobufDocument(
                new String(field(type, 1), StandardCharsets.UTF_8),
                new String(field(type, 2), StandardCharsets.UTF_8),
                field(unknown, 2));
    }

    /** The events of a stream that has ended. */
    public static List<Event> events(byte[] stream) {
        List<Event> events = new ArrayList<>();
        for (ByteBuffer left = ByteBuffer.wrap(stream); left.hasRemaining(); ) {
            byte[] frame = new byte[left.getInt()];
            left.get(frame);
            String type = new String(field(frame, 1), StandardCharsets.UTF_8);
            events.add(new Event(type, of(field(field(frame, 2), 1))));
        }
        return events;
    }

    /** The object, as the decoder of stored objects reads it. */
    public JsonNode json() throws IOException {
        return json(apiVersion, kind, message);
    }

    /** The objects of a list. */
    public List<JsonNode> items() throws IOException {
        List<JsonNode> items = new ArrayList<>();
        FieldCursor fields = new FieldCursor(message, 0, message.length);
        while (fields.next()) {
            if (fields.number() == 2) {
                items.add(
                        json(
                                apiVersion,
                                kind.substring(0, kind.length() - "List".length()),
                                Arrays.copyOfRange(message, fields.from(), fields.to())));
            }
        }
        return items;
    }

    /** The texts and numbers of a list's metadata, by field number; empty ones are left out. */
    public TreeMap<Long, String> listMetadata() {
        TreeMap<Long, String> members = new TreeMap<>();
        byte[] metadata = field(message, 1);
        FieldCursor fields = new FieldCursor(metadata, 0, metadata.length);
        while (fields.next()) {
            String text =
                    fields.isBytes()
                            ? new String(
                                    metadata,
                                    fields.from(),
                                    fields.to() - fields.from(),
                                    StandardCharsets.UTF_8)
                            : Long.toString(Wire.varint(metadata, fields.from(), fields.to()));
            if (!text.isEmpty()) {
                members.put(fields.number(), text);
            }
        }
        return members;
    }

    private static JsonNode json(String apiVersion, String kind, byte[] message)
            throws IOException {
        String version = new String(field(field(message, 1), 6), StandardCharsets.UTF_8);
        // Partial metadata is no stored kind; a namespace without more looks the same.
        boolean partial = kind.equals("PartialObjectMetadata");
        ProtobufWriter out = new ProtobufWriter(message.length);
        int raw = Envelope.open(partial ? "v1" : apiVersion, partial ? "Namespace" : kind, out);
        out.raw(message, 0, message.length);
        Envelope.close(raw, out);
        return switch (new KubernetesDecoder().decode(out.toByteArray(), Long.parseLong(version))) {
            case DecodeResult.Json json -> JSON.readTree(json.json().utf8());
            case DecodeResult.Refused refused -> throw new AssertionError(refused);
        };
    }

    /** The last value of a field; empty when there is none. */
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
