package io.tidemark.authorization;

import io.tidemark.authorization.Case.Answer;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Asks the product what a {@link Case} asks. */
final class ProductRbac {
    private ProductRbac() {}

    static Answer answer(Case question) {
        return answer(rules(question.objects()), question);
    }

    static Answer answer(RbacRules rules, Case question) {
        Decision decision = rules.decide(caller(question.user()), request(question.request()));
        return decision.isAllowed() ? Answer.allow() : Answer.deny(problems(decision.reason()));
    }

    /** The rules of objects that can all be read. */
    static RbacRules rules(List<Map<String, Object>> objects) {
        RbacRules rules = RbacRules.empty(true);
        for (Map<String, Object> object : objects) {
            rules = rules.put(id(object), Case.bytes(object));
        }
        if (!rules.unreadable().isEmpty()) {
            throw new IllegalStateException(rules.unreadable().toString());
        }
        return rules;
    }

    static RbacId id(Map<String, Object> object) {
        RbacKind kind =
                Arrays.stream(RbacKind.values())
                        .filter(each -> each.kind().equals(object.get("kind")))
                        .findFirst()
                        .orElseThrow();
        if (!(object.get("metadata") instanceof Map<?, ?> metadata)) {
            throw new IllegalArgumentException(object.toString());
        }
        String namespace =
                metadata.get("namespace") instanceof String text && kind.isNamespaced() ? text : "";
        return new RbacId(kind, namespace, String.valueOf(metadata.get("name")));
    }

    @SuppressWarnings("unchecked")
    static Caller caller(Map<String, Object> user) {
        return new Caller((String) user.get("name"), (List<String>) user.get("groups"));
    }

    static RequestAttributes request(Map<String, String> request) {
        String verb = request.getOrDefault("verb", "");
        return request.containsKey("path")
                ? new NonResourceRequest(verb, request.get("path"))
                : new ResourceRequest(
                        verb,
                        request.getOrDefault("apiGroup", ""),
                        "v1",
                        request.getOrDefault("resource", ""),
                        request.getOrDefault("subresource", ""),
                        request.getOrDefault("namespace", ""),
                        request.getOrDefault("name", ""));
    }

    /** The single texts of {@code RBAC: [a, b]}. */
    private static Set<String> problems(String reason) {
        String text = reason.replaceFirst("^RBAC: ", "").replaceAll("^\\[|]$", "");
        return text.isEmpty() ? Set.of() : new TreeSet<>(List.of(text.split(", ")));
    }
}
