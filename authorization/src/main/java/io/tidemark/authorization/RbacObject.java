package io.tidemark.authorization;

import io.tidemark.json.GoQuote;
import java.util.List;
import java.util.Optional;

/** A parsed RBAC object, reduced to what decisions need. */
sealed interface RbacObject {
    RbacId id();

    /** A Role or ClusterRole. The rules of an aggregated one were filled in by a controller. */
    record Role(RbacId id, List<PolicyRule> rules) implements RbacObject {
        public Role {
            rules = List.copyOf(rules);
        }
    }

    /** A RoleBinding or ClusterRoleBinding. */
    record Binding(RbacId id, List<Subject> subjects, RoleRef roleRef) implements RbacObject {
        public Binding {
            subjects = List.copyOf(subjects);
        }

        /** The role that the binding grants; empty for an unknown kind. */
        Optional<RbacId> role() {
            return switch (roleRef.kind) {
                case "Role" -> Optional.of(new RbacId(RbacKind.ROLE, id.namespace(), roleRef.name));
                case "ClusterRole" ->
                        Optional.of(new RbacId(RbacKind.CLUSTER_ROLE, "", roleRef.name));
                default -> Optional.empty();
            };
        }

        /** Names the binding and its first subject that is the caller. */
        String describe(Caller caller) {
            String name = id.namespace().isEmpty() ? id.name() : id.name() + "/" + id.namespace();
            String subject =
                    subjects.stream()
                            .filter(each -> each.isCaller(caller, id.namespace()))
                            .findFirst()
                            .map(each -> each.describe(id.namespace()))
                            .orElse("");
            return "%s %s of %s %s to %s"
                    .formatted(
                            id.kind().kind(),
                            GoQuote.string(name),
                            roleRef.kind,
                            GoQuote.string(roleRef.name),
                            subject);
        }
    }

    /** The API group beside it is not read, as in the API server. */
    record RoleRef(String kind, String name) {}

    /**
     * Whom a binding is for. The API group beside it is not read, as in the API server.
     *
     * @param namespace of a ServiceAccount; empty for that of the binding
     */
    record Subject(String kind, String namespace, String name) {
        /** Whom it stands for; empty if no caller can be it. */
        Optional<Principal> principal(String bindingNamespace) {
            return switch (kind) {
                case "User" -> Optional.of(new Principal(false, name));
                case "Group" -> Optional.of(new Principal(true, name));
                case "ServiceAccount" -> {
                    String home = namespace.isEmpty() ? bindingNamespace : namespace;
                    yield home.isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    new Principal(
                                            false, "system:serviceaccount:" + home + ":" + name));
                }
                default -> Optional.empty();
            };
        }

        boolean isCaller(Caller caller, String bindingNamespace) {
            return principal(bindingNamespace)
                    .filter(each ->
                            each.group
                                    ? caller.groups().contains(each.name)
                                    : caller.name().equals(each.name))
                    .isPresent();
        }

        private String describe(String bindingNamespace) {
            if (!kind.equals("ServiceAccount")) {
                return kind + " " + GoQuote.string(name);
            }
            String home = namespace.isEmpty() ? bindingNamespace : namespace;
            return kind + " " + GoQuote.string(name + "/" + home);
        }
    }

    /** A user by name, or the members of a group. */
    record Principal(boolean group, String name) {}
}
