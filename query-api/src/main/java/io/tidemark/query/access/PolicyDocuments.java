package io.tidemark.query.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.authentication.StrictYaml;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.authorization.RbacRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a policy: YAML documents that are Roles, ClusterRoles, RoleBindings and
 * ClusterRoleBindings, as Kubernetes writes them. One document that is anything else, or has an
 * unknown member, makes the whole policy unusable, so that no mistake takes effect in part.
 */
final class PolicyDocuments {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_DOCUMENTS = 10_000;
    private static final List<String> KNOWN =
            List.of(
                    "apiVersion",
                    "kind",
                    "metadata",
                    "rules",
                    "aggregationRule",
                    "subjects",
                    "roleRef");
    private static final List<String> KNOWN_OF_RULES =
            List.of("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs");
    private static final List<String> KNOWN_OF_REFERENCES =
            List.of("apiGroup", "kind", "name", "namespace");

    private PolicyDocuments() {}

    /**
     * @param mastersPass whether members of {@link RbacRules#MASTERS} may do everything
     * @throws IllegalArgumentException when it is no policy; the message is a sentence
     */
    static RbacRules parse(byte[] yaml, boolean mastersPass) {
        RbacRules rules = RbacRules.empty(mastersPass);
        Set<RbacId> seen = new HashSet<>();
        int number = 0;
        try (MappingIterator<JsonNode> documents = StrictYaml.documents(yaml)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                number++;
                if (number > MAX_DOCUMENTS) {
                    throw new IllegalArgumentException(
                            "it has more than %d documents".formatted(MAX_DOCUMENTS));
                }
                if (isEmpty(document)) {
                    continue;
                }
                RbacId id = id(document, number);
                if (!seen.add(id)) {
                    throw new IllegalArgumentException(
                            "document %d repeats %s".formatted(number, shown(id)));
                }
                String place = "document %d, %s".formatted(number, shown(id));
                rules = rules.put(id, JSON.writeValueAsBytes(document));
                String problem = rules.unreadable().get(id);
                if (problem != null) {
                    throw new IllegalArgumentException(place + ": " + problem);
                }
                requireKnown(document, place);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("it is not YAML: " + e.getMessage(), e);
        }
        return rules;
    }

    /** Whether there is nothing but comments between two separators. */
    private static boolean isEmpty(JsonNode document) {
        return document.isNull()
                || document.isMissingNode()
                || (document.isTextual() && document.asText().isEmpty());
    }

    private static void requireKnown(JsonNode document, String place) {
        requireKnown(document, KNOWN, place);
        for (JsonNode rule : document.path("rules")) {
            requireKnown(rule, KNOWN_OF_RULES, place + ": a rule");
        }
        for (JsonNode subject : document.path("subjects")) {
            requireKnown(subject, KNOWN_OF_REFERENCES, place + ": a subject");
        }
        requireKnown(document.path("roleRef"), KNOWN_OF_REFERENCES, place + ": roleRef");
    }

    /** A misspelt member would be another right, such as one to objects of all names. */
    private static void requireKnown(JsonNode node, List<String> known, String what) {
        node.fieldNames()
                .forEachRemaining(name -> {
                    if (!known.contains(name)) {
                        throw new IllegalArgumentException(
                                "%s has no member '%s', only %s"
                                        .formatted(what, name, String.join(", ", known)));
                    }
                });
    }

    private static RbacId id(JsonNode document, int number) {
        String kind = document.path("kind").asText();
        JsonNode metadata = document.path("metadata");
        return Arrays.stream(RbacKind.values())
                .filter(each -> each.kind().equals(kind))
                .findFirst()
                .map(found ->
                        new RbacId(
                                found,
                                metadata.path("namespace").asText(),
                                metadata.path("name").asText()))
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                ("document %d is no Role, ClusterRole, RoleBinding or"
                                                + " ClusterRoleBinding")
                                        .formatted(number)));
    }

    private static String shown(RbacId id) {
        String name = id.namespace().isEmpty() ? id.name() : id.namespace() + "/" + id.name();
        return id.kind().kind() + " " + name;
    }
}
