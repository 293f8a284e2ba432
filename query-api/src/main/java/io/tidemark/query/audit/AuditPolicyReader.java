package io.tidemark.query.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.authentication.StrictYaml;
import io.tidemark.query.audit.AuditPolicy.AuditRule;
import io.tidemark.query.audit.AuditPolicy.Resources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Reads an API server's audit policy: YAML or JSON, kind {@code Policy}, at most 1 MiB. */
public final class AuditPolicyReader {
    private static final int MAX_BYTES = 1 << 20;
    private static final Set<String> KNOWN =
            Set.of("apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields");
    private static final Set<String> KNOWN_OF_RULES =
            Set.of(
                    "level",
                    "users",
                    "userGroups",
                    "verbs",
                    "namespaces",
                    "resources",
                    "nonResourceURLs",
                    "omitStages",
                    "omitManagedFields");
    private static final Set<String> KNOWN_OF_RESOURCES =
            Set.of("group", "resources", "resourceNames");

    private AuditPolicyReader() {}

    /**
     * @throws IOException when it cannot be read; the message is a sentence that names the file
     * @throws IllegalArgumentException when it is no policy; likewise
     */
    public static AuditPolicy read(Path file) throws IOException {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new IOException("cannot read the audit policy " + file, e);
        }
        if (text.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the audit policy %s is longer than %d bytes".formatted(file, MAX_BYTES));
        }
        try {
            return policy(StrictYaml.document(text));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            String why =
                    e instanceof JsonProcessingException unparsable
                            ? unparsable.getOriginalMessage()
                            : e.getMessage();
            throw new IllegalArgumentException(
                    "the audit policy %s cannot be used: %s".formatted(file, why), e);
        }
    }

    private static AuditPolicy policy(JsonNode document) {
        requireKnown(document, KNOWN, "the policy");
        if (!document.path("kind").asText().equals("Policy")
                || !document.path("apiVersion").asText().equals("audit.k8s.io/v1")) {
            throw new IllegalArgumentException("it is not a Policy of audit.k8s.io/v1");
        }
        List<AuditRule> rules = list(document, "rules", AuditPolicyReader::rule);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("it has no rules");
        }
        return new AuditPolicy(rules, stages(document));
    }

    private static AuditRule rule(JsonNode rule) {
        requireKnown(rule, KNOWN_OF_RULES, "a rule");
        boolean recorded =
                switch (rule.path("level").asText()) {
                    case "None" -> false;
                    case "Metadata", "Request", "RequestResponse" -> true;
                    default ->
                            throw new IllegalArgumentException(
                                    "a rule's level is None, Metadata, Request or"
                                            + " RequestResponse, not '"
                                            + rule.path("level").asText()
                                            + "'");
                };
        List<Resources> resources = list(rule, "resources", AuditPolicyReader::resources);
        List<String> namespaces = texts(rule, "namespaces");
        List<String> paths = texts(rule, "nonResourceURLs");
        if (!paths.isEmpty() && !(resources.isEmpty() && namespaces.isEmpty())) {
            throw new IllegalArgumentException(
                    "a rule has nonResourceURLs, or resources and namespaces, not both");
        }
        return new AuditRule(
                recorded,
                texts(rule, "users"),
                texts(rule, "userGroups"),
                texts(rule, "verbs"),
                namespaces,
                resources,
                paths,
                stages(rule));
    }

    private static Resources resources(JsonNode one) {
        requireKnown(one, KNOWN_OF_RESOURCES, "an entry of resources");
        List<String> names = texts(one, "resourceNames");
        List<String> resources = texts(one, "resources");
        if (!names.isEmpty() && resources.isEmpty()) {
            throw new IllegalArgumentException("resourceNames need resources");
        }
        return new Resources(one.path("group").asText(), resources, names);
    }

    private static Set<AuditStage> stages(JsonNode node) {
        EnumSet<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
        for (String name : texts(node, "omitStages")) {
            stages.add(
                    EnumSet.allOf(AuditStage.class).stream()
                            .filter(stage -> stage.text().equals(name))
                            .findFirst()
                            .orElseThrow(() ->
                                    new IllegalArgumentException("unknown stage '" + name + "'")));
        }
        return stages;
    }

    private static List<String> texts(JsonNode node, String member) {
        return list(
                node,
                member,
                one -> {
                    if (!one.isTextual()) {
                        throw new IllegalArgumentException(member + " must be a list of strings");
                    }
                    return one.textValue();
                });
    }

    private static <T> List<T> list(JsonNode node, String member, Function<JsonNode, T> map) {
        JsonNode found = node.path(member);
        if (!found.isMissingNode() && !found.isNull() && !found.isArray()) {
            throw new IllegalArgumentException(member + " must be a list");
        }
        List<T> all = new ArrayList<>();
        found.forEach(one -> all.add(map.apply(one)));
        return all;
    }

    /** A misspelt member would match more than was meant. */
    private static void requireKnown(JsonNode node, Set<String> known, String what) {
        if (!node.isObject()) {
            throw new IllegalArgumentException(what + " is not a mapping");
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new IllegalArgumentException("%s has no '%s'".formatted(what, name));
            }
        }
    }
}
