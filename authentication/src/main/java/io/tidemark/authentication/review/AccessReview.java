package io.tidemark.authentication.review;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.authorization.SelectorTerm;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Writes and reads the object {@code SubjectAccessReview}. */
final class AccessReview {
    static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    /** Reasons are kept and shown to callers; longer ones are cut off. */
    static final int MAX_REASON = 1024;

    private static final String KIND = "SubjectAccessReview";
    private static final JsonMapper JSON = new JsonMapper();

    private AccessReview() {}

    /** The same bytes for equal questions. */
    static byte[] request(Caller caller, RequestAttributes asked) {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", KIND);
        ObjectNode spec = review.putObject("spec");
        switch (asked) {
            case ResourceRequest objects -> resource(spec.putObject("resourceAttributes"), objects);
            case NonResourceRequest(String verb, String path) ->
                    spec.putObject("nonResourceAttributes").put("path", path).put("verb", verb);
        }
        spec.put("user", caller.name());
        texts(spec, "groups", caller.groups());
        put(spec, "uid", caller.uid());
        if (!caller.extra().isEmpty()) {
            ObjectNode extra = spec.putObject("extra");
            new TreeMap<>(caller.extra()).forEach((key, values) -> texts(extra, key, values));
        }
        try {
            return JSON.writeValueAsBytes(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write texts as JSON", e);
        }
    }

    private static void resource(ObjectNode attributes, ResourceRequest objects) {
        put(attributes, "namespace", objects.namespace());
        put(attributes, "verb", objects.verb());
        put(attributes, "group", objects.apiGroup());
        put(attributes, "version", objects.version());
        put(attributes, "resource", objects.resource());
        put(attributes, "subresource", objects.subresource());
        put(attributes, "name", objects.name());
        selector(attributes, "fieldSelector", objects.fields());
        selector(attributes, "labelSelector", objects.labels());
    }

    private static void selector(ObjectNode attributes, String name, List<SelectorTerm> terms) {
        if (terms.isEmpty()) {
            return;
        }
        var requirements = attributes.putObject(name).putArray("requirements");
        for (SelectorTerm term : terms) {
            ObjectNode requirement = requirements.addObject();
            requirement.put("key", term.key()).put("operator", term.operator().text());
            texts(requirement, "values", term.values());
        }
    }

    private static void put(ObjectNode object, String name, String text) {
        if (!text.isEmpty()) {
            object.put(name, text);
        }
    }

    private static void texts(ObjectNode object, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            texts.forEach(object.putArray(name)::add);
        }
    }

    /**
     * The decision: {@code denied} wins over {@code allowed}, and neither is no opinion.
     *
     * @throws IOException when the answer is no review with a decision
     */
    static Decision read(byte[] answer) throws IOException {
        JsonNode review;
        try {
            review = JSON.readTree(answer);
        } catch (JsonProcessingException e) {
            throw new IOException("the answer is not JSON", e);
        }
        JsonNode status = review.path("status");
        JsonNode allowed = status.path("allowed");
        JsonNode denied = status.path("denied");
        if (!KIND.equals(review.path("kind").textValue())
                || !allowed.isBoolean()
                || !denied.isMissingNode() && !denied.isBoolean()) {
            throw new IOException("the answer is no SubjectAccessReview with a decision");
        }
        String text = status.path("reason").asText("");
        String reason = text.substring(0, Math.min(MAX_REASON, text.length()));
        if (denied.asBoolean()) {
            return Decision.denied(() -> reason);
        }
        return allowed.asBoolean()
                ? Decision.allowed(() -> reason)
                : Decision.noOpinion(() -> reason);
    }
}
