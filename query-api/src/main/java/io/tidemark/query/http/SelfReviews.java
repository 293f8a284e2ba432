package io.tidemark.query.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.EffectiveRules;
import io.tidemark.authorization.PolicyRule;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.access.AccessErrors;
import io.tidemark.query.http.access.RequestPermit;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Answers callers' questions about themselves, the only requests that are created here: who they
 * are (SelfSubjectReview, {@code kubectl auth whoami}), whether they may do something
 * (SelfSubjectAccessReview, {@code can-i}), and what (SelfSubjectRulesReview, {@code can-i
 * --list}). Nothing is stored.
 */
final class SelfReviews {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final int MAX_BYTES = 64 << 10;

    /** A body that comes more slowly is refused. */
    private static final Duration LONGEST_BODY = Duration.ofSeconds(10);

    private final AccessControl access;

    SelfReviews(AccessControl access) {
        this.access = access;
    }

    /** The kinds of reviews, with their paths. */
    private enum Kind {
        SELF(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview"),
        ACCESS(AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview"),
        RULES(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview");

        private final String group;
        private final String plural;
        private final String kind;

        Kind(String group, String plural, String kind) {
            this.group = group;
            this.plural = plural;
            this.kind = kind;
        }

        static Optional<Kind> of(ApiPath.Objects path) {
            for (Kind each : values()) {
                if (path.equals(
                        new ApiPath.Objects(
                                each.group, "v1", each.plural, false, "", "", List.of(), false))) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Answers a review.
     *
     * @return false for any other request, which is not answered
     * @throws StatusException 400, 413, 415, 422 for a body that is no such question, 503 if it
     *     cannot be decided
     */
    boolean answer(Exchange exchange, ApiPath.Objects path)
            throws IOException, InterruptedException {
        Optional<Kind> kind = Kind.of(path);
        if (kind.isEmpty()
                || !exchange.method().equals("POST")
                || !(exchange.permit() instanceof RequestPermit permit)) {
            return false;
        }
        JsonNode asked = body(exchange, kind.get());
        ObjectNode answer = JSON.createObjectNode();
        answer.put("kind", kind.get().kind).put("apiVersion", kind.get().group + "/v1");
        answer.putObject("metadata");
        Caller caller = permit.caller();
        switch (kind.get()) {
            case SELF -> self(answer, caller);
            case ACCESS -> access(answer, caller, asked.path("spec"));
            case RULES -> rules(answer, caller, asked.path("spec"));
        }
        byte[] bytes = (JSON.writeValueAsString(answer) + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.memory().take(bytes.length);
        exchange.response().answer(201, "application/json", bytes);
        return true;
    }

    private static void self(ObjectNode answer, Caller caller) {
        ObjectNode user = answer.putObject("status").putObject("userInfo");
        user.put("username", caller.name());
        if (!caller.uid().isEmpty()) {
            user.put("uid", caller.uid());
        }
        if (!caller.groups().isEmpty()) {
            texts(user.putArray("groups"), caller.groups());
        }
        if (!caller.extra().isEmpty()) {
            ObjectNode extra = user.putObject("extra");
            new TreeMap<>(caller.extra())
                    .forEach((key, values) -> texts(extra.putArray(key), values));
        }
    }

    private void access(ObjectNode answer, Caller caller, JsonNode spec)
            throws InterruptedException {
        Decision decision = access.decide(caller, asked(spec));
        answer.set("spec", spec);
        ObjectNode status = answer.putObject("status");
        status.put("allowed", decision.isAllowed());
        if (decision.verdict() == Decision.Verdict.DENIED) {
            status.put("denied", true);
        }
        if (!decision.reason().isEmpty()) {
            status.put("reason", decision.reason());
        }
    }

    private void rules(ObjectNode answer, Caller caller, JsonNode spec) {
        String namespace = text(spec, "namespace");
        if (namespace.isEmpty()) {
            throw StatusErrors.badRequest("no namespace on request");
        }
        Optional<EffectiveRules> found;
        try {
            found = access.authorizer().rulesOf(caller, namespace);
        } catch (AuthorizerUnavailableException _) {
            throw AccessErrors.unavailable("authorization");
        }
        answer.putObject("spec");
        ObjectNode status = answer.putObject("status");
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        for (PolicyRule rule : found.map(EffectiveRules::resourceRules).orElse(List.of())) {
            ObjectNode written = resources.addObject();
            texts(written.putArray("verbs"), rule.verbs());
            texts(written.putArray("apiGroups"), rule.apiGroups());
            texts(written.putArray("resources"), rule.resources());
            if (!rule.resourceNames().isEmpty()) {
                texts(written.putArray("resourceNames"), rule.resourceNames());
            }
        }
        for (PolicyRule rule : found.map(EffectiveRules::nonResourceRules).orElse(List.of())) {
            ObjectNode written = paths.addObject();
            texts(written.putArray("verbs"), rule.verbs());
            texts(written.putArray("nonResourceURLs"), rule.nonResourceUrls());
        }
        status.put("incomplete", found.isEmpty());
        String error =
                found.map(EffectiveRules::evaluationError)
                        .orElse("the authorizer cannot list rules");
        if (!error.isEmpty()) {
            status.put("evaluationError", error);
        }
    }

    private static RequestAttributes asked(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        if (resource.isObject() && path.isObject()) {
            throw invalid(
                    "spec.nonResourceAttributes",
                    "Invalid value: {\"Path\":%s,\"Verb\":%s}"
                                    .formatted(quoted(path, "path"), quoted(path, "verb"))
                            + ": cannot be specified in combination with resourceAttributes");
        }
        if (!resource.isObject() && !path.isObject()) {
            throw invalid(
                    "spec.resourceAttributes",
                    "Invalid value: null: exactly one of nonResourceAttributes or"
                            + " resourceAttributes must be specified");
        }
        return path.isObject()
                ? new NonResourceRequest(text(path, "verb"), text(path, "path"))
                : new ResourceRequest(
                        text(resource, "verb"),
                        text(resource, "group"),
                        text(resource, "version"),
                        text(resource, "resource"),
                        text(resource, "subresource"),
                        text(resource, "namespace"),
                        text(resource, "name"));
    }

    private static StatusException invalid(String field, String message) {
        return new StatusException(
                new FailureStatus(
                        422,
                        "Invalid",
                        "." + AUTHORIZATION + " \"\" is invalid: " + field + ": " + message,
                        Map.of("group", AUTHORIZATION),
                        List.of(new Cause("FieldValueInvalid", message, field)),
                        0,
                        ""));
    }

    private static String quoted(JsonNode object, String member) {
        return JSON.getNodeFactory().textNode(text(object, member)).toString();
    }

    private static String text(JsonNode object, String member) {
        JsonNode value = object.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw StatusErrors.badRequest("the member %s is not a string".formatted(member));
        }
        return value.textValue();
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    private static JsonNode body(Exchange exchange, Kind kind) throws IOException {
        String type =
                exchange.header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        boolean protobuf = type.equals(PROTOBUF);
        if (!type.isEmpty() && !protobuf && !type.equals("application/json")) {
            throw new StatusException(
                    new FailureStatus(
                            415,
                            "UnsupportedMediaType",
                            "the body of the request was in an unknown format - accepted media"
                                    + " types include: application/json, "
                                    + PROTOBUF));
        }
        byte[] bytes = read(exchange);
        try {
            JsonNode asked = protobuf ? ReviewProtobuf.read(bytes) : JSON.readTree(bytes);
            boolean fits =
                    asked.isObject()
                            && isOrMissing(asked, "kind", kind.kind)
                            && isOrMissing(asked, "apiVersion", kind.group + "/v1");
            if (fits) {
                return asked;
            }
        } catch (JsonProcessingException | DecodeException _) {
            // The same error, without what was sent.
        }
        throw StatusErrors.badRequest(
                "the object provided is unrecognized (must be of type %s)".formatted(kind.kind));
    }

    private static boolean isOrMissing(JsonNode object, String member, String expected) {
        return !object.has(member) || object.path(member).asText().equals(expected);
    }

    private static byte[] read(Exchange exchange) throws IOException {
        exchange.memory().take(MAX_BYTES);
        byte[] bytes = new byte[MAX_BYTES + 1];
        int length = 0;
        long deadline = System.nanoTime() + LONGEST_BODY.toNanos();
        InputStream in = exchange.servletRequest().getInputStream();
        for (int n = 0; n >= 0; n = in.read(bytes, length, bytes.length - length)) {
            length += n;
            if (length > MAX_BYTES) {
                throw StatusErrors.bodyTooLarge(MAX_BYTES);
            }
            if (System.nanoTime() - deadline > 0) {
                throw StatusErrors.requestTimedOut();
            }
        }
        return Arrays.copyOf(bytes, length);
    }
}
