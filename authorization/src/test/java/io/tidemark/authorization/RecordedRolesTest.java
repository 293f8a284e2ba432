package io.tidemark.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The roles of a real cluster: 200 users with 500 requests each, against the reference. */
class RecordedRolesTest {
    private static final int USERS = 200;
    private static final int REQUESTS = 500;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void decidesAsTheReferenceOnRecordedRoles() throws IOException {
        List<Map<String, Object>> objects = objects();
        assertThat(objects).hasSizeGreaterThan(50);
        RbacRules rules = ProductRbac.rules(objects);
        Words words = new Words(objects);
        Random random = new Random(7);
        int allowed = 0;
        for (int i = 0; i < USERS; i++) {
            Map<String, Object> user = words.user(random);
            for (int j = 0; j < REQUESTS; j++) {
                Case question = new Case(objects, user, words.request(random));
                Case.Answer expected = ReferenceRbac.answer(question);
                assertThat(ProductRbac.answer(rules, question))
                        .as("%s %s", user, question.request())
                        .isEqualTo(expected);
                allowed += expected.allowed() ? 1 : 0;
            }
        }
        assertThat(allowed).isBetween(USERS * REQUESTS / 50, USERS * REQUESTS / 2);
    }

    private static List<Map<String, Object>> objects() throws IOException {
        Path beside = Path.of("").toAbsolutePath().getParent().resolveSibling("shared");
        Path shared = Path.of(System.getProperty("tidemark.shared", beside.toString()));
        Path file = shared.resolve("data/cluster-objects.jsonl.gz");
        Assumptions.assumeTrue(Files.exists(file), "no recording of a cluster at " + file);
        List<Map<String, Object>> objects = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(file)),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("\"rbac.authorization.k8s.io/v1\"")) {
                    Map<String, Object> object =
                            JSON.convertValue(
                                    JSON.readTree(line).get("object"), new TypeReference<>() {});
                    if ("rbac.authorization.k8s.io/v1".equals(object.get("apiVersion"))) {
                        objects.add(object);
                    }
                }
            }
        }
        return objects;
    }

    /** The texts that occur in the roles, so that requests meet them. */
    private static final class Words {
        private final List<String> users = new ArrayList<>(List.of("nobody"));
        private final List<String> groups = new ArrayList<>(List.of("system:authenticated"));
        private final List<String> verbs = new ArrayList<>(List.of("get", "list", "watch"));
        private final List<String> apiGroups = new ArrayList<>(List.of(""));
        private final List<String> resources = new ArrayList<>(List.of("pods", "secrets"));
        private final List<String> names = new ArrayList<>(List.of("", "x"));
        private final List<String> paths = new ArrayList<>(List.of("/metrics", "/api/v1"));
        private final List<String> namespaces = new ArrayList<>(List.of("", "nowhere"));

        Words(List<Map<String, Object>> objects) {
            for (Map<String, Object> object : objects) {
                collect(object);
            }
        }

        Map<String, Object> user(Random random) {
            List<String> member = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                member.add(one(groups, random));
            }
            return RandomCases.map("name", one(users, random), "groups", member);
        }

        Map<String, String> request(Random random) {
            if (random.nextInt(8) == 0) {
                String path = one(paths, random).replace("*", random.nextBoolean() ? "x" : "");
                return Map.of("verb", "get", "path", path);
            }
            String[] resource = one(resources, random).split("/", 2);
            return Map.of(
                    "verb", one(verbs, random),
                    "apiGroup", one(apiGroups, random),
                    "resource", resource[0].equals("*") ? "pods" : resource[0],
                    "subresource", resource.length > 1 ? resource[1] : "",
                    "namespace", one(namespaces, random),
                    "name", one(names, random));
        }

        private static String one(List<String> all, Random random) {
            return all.get(random.nextInt(all.size()));
        }

        private void collect(Map<String, Object> object) {
            String namespace = text(map(object.get("metadata")), "namespace");
            namespaces.add(namespace);
            for (Object each : list(object.get("subjects"))) {
                Map<?, ?> subject = map(each);
                String name = text(subject, "name");
                switch (text(subject, "kind")) {
                    case "Group" -> groups.add(name);
                    case "ServiceAccount" -> {
                        String home = text(subject, "namespace");
                        users.add("system:serviceaccount:" + home + ":" + name);
                        groups.add("system:serviceaccounts:" + home);
                    }
                    default -> users.add(name);
                }
            }
            for (Object rule : list(object.get("rules"))) {
                add(verbs, map(rule).get("verbs"));
                add(apiGroups, map(rule).get("apiGroups"));
                add(resources, map(rule).get("resources"));
                add(names, map(rule).get("resourceNames"));
                add(paths, map(rule).get("nonResourceURLs"));
            }
        }

        private static void add(List<String> words, @Nullable Object values) {
            new TreeSet<>(list(values).stream().map(String::valueOf).toList())
                    .stream().filter(word -> !words.contains(word)).forEach(words::add);
        }

        private static Map<?, ?> map(@Nullable Object value) {
            return value instanceof Map<?, ?> map ? map : Map.of();
        }

        private static List<?> list(@Nullable Object value) {
            return value instanceof List<?> list ? list : List.of();
        }

        private static String text(Map<?, ?> object, String member) {
            return object.get(member) instanceof String text ? text : "";
        }
    }
}
