package io.tidemark.query.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.FieldCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the questions of callers about themselves from Kubernetes' protobuf, which kubectl sends,
 * into the JSON of the same object. Numbers of fields are those of {@code
 * k8s.io/api/authorization/v1/generated.proto}; other fields are ignored, as upstream does.
 */
final class ReviewProtobuf {
    private static final int SPEC = 2;
    private static final List<String> RESOURCE_ATTRIBUTES =
            List.of("namespace", "verb", "group", "version", "resource", "subresource", "name");
    private static final List<String> PATH_ATTRIBUTES = List.of("path", "verb");

    private final byte[] source;

    private ReviewProtobuf(byte[] source) {
        this.source = source;
    }

    /**
     * @param source the body of a request
     * @return {@code kind}, {@code apiVersion} and {@code spec}, if there is one
     * @throws DecodeException when it is no message of a Kubernetes object
     */
    static ObjectNode read(byte[] source) {
        if (!Envelope.begins(source)) {
            throw DecodeException.malformed("no protobuf of a Kubernetes object");
        }
        return new ReviewProtobuf(source).review(Envelope.parse(source, Envelope.START));
    }

    private ObjectNode review(Envelope envelope) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("kind", envelope.kind()).put("apiVersion", envelope.apiVersion());
        FieldCursor fields = new FieldCursor(source, envelope.from(), envelope.to());
        while (fields.next()) {
            if (fields.number() == SPEC && fields.isBytes()) {
                boolean rules = envelope.kind().equals("SelfSubjectRulesReview");
                review.set(
                        "spec",
                        rules
                                ? texts(fields.from(), fields.to(), List.of("namespace"))
                                : access(fields.from(), fields.to()));
            }
        }
        return review;
    }

    private ObjectNode access(int from, int to) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            if (fields.isBytes() && fields.number() == 1) {
                spec.set(
                        "resourceAttributes",
                        texts(fields.from(), fields.to(), RESOURCE_ATTRIBUTES));
            } else if (fields.isBytes() && fields.number() == 2) {
                spec.set(
                        "nonResourceAttributes",
                        texts(fields.from(), fields.to(), PATH_ATTRIBUTES));
            }
        }
        return spec;
    }

    /**
     * @param names of the text fields 1, 2 and so on
     */
    private ObjectNode texts(int from, int to, List<String> names) {
        ObjectNode texts = JsonNodeFactory.instance.objectNode();
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            if (fields.isBytes()
                    && fields.number() >= 1
                    && fields.number() <= names.size()
                    && fields.from() < fields.to()) {
                texts.put(
                        names.get((int) fields.number() - 1),
                        new String(
                                source,
                                fields.from(),
                                fields.to() - fields.from(),
                                StandardCharsets.UTF_8));
            }
        }
        return texts;
    }
}
