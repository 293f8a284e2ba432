package io.tidemark.benchmarks;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A large cluster's roles: 500 ClusterRoles and 1,500 Roles of one to six rules, 1,000
 * ClusterRoleBindings and 9,000 RoleBindings of one to three subjects, in 200 namespaces; 2,000
 * users and 500 groups. Callers are in 30 groups.
 */
final class RbacObjects {
    static final int CLUSTER_ROLES = 500;
    static final int ROLES = 2_000;
    static final int CLUSTER_BINDINGS = 1_000;
    static final int BINDINGS = 10_000;
    private static final int NAMESPACES = 200;
    private static final int USERS = 2_000;
    private static final int GROUPS = 500;
    private static final int MEMBERSHIPS = 30;
    private static final String[] VERBS = {"get", "list", "watch", "create", "update", "delete"};
    private static final String[] API_GROUPS = {
        "", "apps", "batch", "networking.k8s.io", "acme.io"
    };
    private static final int RESOURCES = 60;

    private RbacObjects() {}

    /** The objects' JSON. */
    static Map<RbacId, byte[]> all() {
        SplittableRandom random = new SplittableRandom(18);
        Map<RbacId, byte[]> all = new LinkedHashMap<>();
        for (int i = 0; i < ROLES; i++) {
            boolean cluster = i < CLUSTER_ROLES;
            String namespace = cluster ? "" : namespace(i % NAMESPACES);
            RbacKind kind = cluster ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE;
            String rules = rules(random);
            all.put(
                    new RbacId(kind, namespace, "role-" + i),
                    json(kind, namespace, "role-" + i, "\"rules\":[" + rules + "]"));
        }
        for (int i = 0; i < BINDINGS; i++) {
            boolean cluster = i < CLUSTER_BINDINGS;
            int home = i % NAMESPACES;
            String namespace = cluster ? "" : namespace(home);
            boolean clusterRole = cluster || random.nextBoolean();
            int role =
                    clusterRole
                            ? random.nextInt(CLUSTER_ROLES)
                            : CLUSTER_ROLES
                                    + (home + NAMESPACES * random.nextInt(8) + NAMESPACES / 2)
                                            % (ROLES - CLUSTER_ROLES);
            RbacKind kind = cluster ? RbacKind.CLUSTER_ROLE_BINDING : RbacKind.ROLE_BINDING;
            String body =
                    "\"subjects\":[%s],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"%s\",\"name\":\"role-%d\"}"
                            .formatted(
                                    subjects(random), clusterRole ? "ClusterRole" : "Role", role);
            all.put(
                    new RbacId(kind, namespace, "binding-" + i),
                    json(kind, namespace, "binding-" + i, body));
        }
        return all;
    }

    static RbacRules compile(Map<RbacId, byte[]> objects) {
        RbacRules rules = RbacRules.empty(true);
        for (Map.Entry<RbacId, byte[]> each : objects.entrySet()) {
            rules = rules.put(each.getKey(), each.getValue());
        }
        return rules;
    }

    static String namespace(int number) {
        return "namespace-" + number;
    }

    static Caller caller(SplittableRandom random) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < MEMBERSHIPS; i++) {
            groups.add("group-" + random.nextInt(GROUPS));
        }
        return new Caller("user-" + random.nextInt(USERS), groups);
    }

    static RequestAttributes request(SplittableRandom random) {
        boolean everywhere = random.nextInt(10) == 0;
        return new ResourceRequest(
                VERBS[random.nextInt(3)],
                API_GROUPS[random.nextInt(API_GROUPS.length)],
                "v1",
                "resources" + random.nextInt(RESOURCES),
                random.nextInt(10) == 0 ? "status" : "",
                everywhere ? "" : namespace(random.nextInt(NAMESPACES)),
                random.nextBoolean() ? "object-" + random.nextInt(100) : "");
    }

    private static String rules(SplittableRandom random) {
        List<String> rules = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            rules.add(
                    "{\"verbs\":[%s],\"apiGroups\":[\"%s\"],\"resources\":[%s]}"
                            .formatted(
                                    some(random, 3, () -> VERBS[random.nextInt(VERBS.length)]),
                                    API_GROUPS[random.nextInt(API_GROUPS.length)],
                                    some(
                                            random,
                                            5,
                                            () ->
                                                    "resources"
                                                            + random.nextInt(RESOURCES)
                                                            + (random.nextInt(8) == 0
                                                                    ? "/status"
                                                                    : ""))));
        }
        return String.join(",", rules);
    }

    private static String some(SplittableRandom random, int atMost, Supplier<String> word) {
        List<String> some = new ArrayList<>();
        for (int i = 1 + random.nextInt(atMost); i > 0; i--) {
            some.add("\"" + word.get() + "\"");
        }
        return String.join(",", some);
    }

    private static String subjects(SplittableRandom random) {
        List<String> subjects = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            subjects.add(
                    switch (random.nextInt(3)) {
                        case 0 -> subject("User", "user-" + random.nextInt(USERS));
                        case 1 -> subject("Group", "group-" + random.nextInt(GROUPS));
                        default -> subject("ServiceAccount", "account-" + random.nextInt(20));
                    });
        }
        return String.join(",", subjects);
    }

    private static String subject(String kind, String name) {
        return "{\"kind\":\"%s\",\"name\":\"%s\"}".formatted(kind, name);
    }

    private static byte[] json(RbacKind kind, String namespace, String name, String rest) {
        String home = namespace.isEmpty() ? "" : ",\"namespace\":\"" + namespace + "\"";
        return "{\"kind\":\"%s\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"metadata\":{\"name\":\"%s\"%s},%s}"
                .formatted(kind.kind(), name, home, rest)
                .getBytes(StandardCharsets.UTF_8);
    }
}
