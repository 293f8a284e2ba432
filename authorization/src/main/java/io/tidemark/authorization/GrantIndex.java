package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;
import io.tidemark.authorization.RbacObject.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Roles and bindings, with each binding's grant at its subjects. Immutable; a change builds the
 * grants of one binding, or of all bindings to one role.
 *
 * @param roles those that exist
 * @param grants of each binding
 * @param bound the bindings to each role, whether it exists or not
 * @param byNamespace of RoleBindings; at the empty text of ClusterRoleBindings
 */
record GrantIndex(
        PersistentMap<RbacId, RoleRules> roles,
        PersistentMap<RbacId, Grant> grants,
        PersistentMap<RbacId, PersistentMap<RbacId, Binding>> bound,
        PersistentMap<String, SubjectIndex> byNamespace) {
    private static final String CLUSTER = "";

    static final GrantIndex EMPTY =
            new GrantIndex(
                    PersistentMap.empty(),
                    PersistentMap.empty(),
                    PersistentMap.empty(),
                    PersistentMap.empty());

    GrantIndex put(RbacObject object) {
        return switch (object) {
            case Role(RbacId id, List<PolicyRule> rules) -> withRole(id, RoleRules.of(rules));
            case Binding binding -> withBinding(binding);
        };
    }

    GrantIndex remove(RbacId id) {
        return switch (id.kind()) {
            case ROLE, CLUSTER_ROLE -> withRole(id, null);
            case ROLE_BINDING, CLUSTER_ROLE_BINDING -> withoutBinding(id);
        };
    }

    /** In place of an object that cannot be read: it grants nothing. */
    GrantIndex putUnreadable(RbacId id) {
        return switch (id.kind()) {
            case ROLE, CLUSTER_ROLE -> withRole(id, RoleRules.unreadable(id));
            case ROLE_BINDING, CLUSTER_ROLE_BINDING -> withoutBinding(id);
        };
    }

    private GrantIndex withRole(RbacId id, @Nullable RoleRules role) {
        RoleRules before = roles.get(id);
        if (role == null ? before == null : before != null && role.hasSame(before)) {
            return this;
        }
        GrantIndex[] next = {
            new GrantIndex(
                    role == null ? roles.without(id) : roles.with(id, role),
                    grants,
                    bound,
                    byNamespace)
        };
        boundTo(id).forEach((_, binding) -> next[0] = next[0].granting(binding));
        return next[0];
    }

    private GrantIndex withBinding(Binding binding) {
        Grant before = grants.get(binding.id());
        if (before != null && before.binding().equals(binding)) {
            return this;
        }
        GrantIndex next = withoutBinding(binding.id());
        Optional<RbacId> role = binding.role();
        if (role.isPresent()) {
            next = next.withBound(role.get(), next.boundTo(role.get()).with(binding.id(), binding));
        }
        return next.granting(binding);
    }

    private GrantIndex withoutBinding(RbacId id) {
        Grant before = grants.get(id);
        if (before == null) {
            return this;
        }
        GrantIndex next = with(grants.without(id), id, at(id).without(before.binding()));
        Optional<RbacId> role = before.binding().role();
        return role.isEmpty() ? next : next.withBound(role.get(), boundTo(role.get()).without(id));
    }

    private PersistentMap<RbacId, Binding> boundTo(RbacId role) {
        return bound.getOrDefault(role, PersistentMap.empty());
    }

    private GrantIndex withBound(RbacId role, PersistentMap<RbacId, Binding> bindings) {
        return new GrantIndex(
                roles,
                grants,
                bindings.isEmpty() ? bound.without(role) : bound.with(role, bindings),
                byNamespace);
    }

    /** Grants what the binding's role has now. */
    private GrantIndex granting(Binding binding) {
        RoleRules role =
                binding.role()
                        .map(id -> roles.getOrDefault(id, RoleRules.missing(id)))
                        .orElseGet(() -> RoleRules.ofKind(binding.roleRef().kind()));
        Grant grant = new Grant(binding, role);
        RbacId id = binding.id();
        return with(grants.with(id, grant), id, at(id).with(grant));
    }

    private SubjectIndex at(RbacId binding) {
        return byNamespace.getOrDefault(binding.namespace(), SubjectIndex.EMPTY);
    }

    private GrantIndex with(
            PersistentMap<RbacId, Grant> newGrants, RbacId binding, SubjectIndex changed) {
        return new GrantIndex(
                roles,
                newGrants,
                bound,
                changed.isEmpty()
                        ? byNamespace.without(binding.namespace())
                        : byNamespace.with(binding.namespace(), changed));
    }

    /** A grant that allows the request; null when there is none. */
    @Nullable Grant allowing(Caller caller, RequestAttributes request) {
        long mask = RuleMask.of(request);
        SubjectIndex cluster = byNamespace.get(CLUSTER);
        Grant found = cluster == null ? null : cluster.allowingCached(caller, request, mask);
        if (found == null && !request.namespace().isEmpty()) {
            SubjectIndex local = byNamespace.get(request.namespace());
            found = local == null ? null : local.allowing(caller, request, mask);
        }
        return found;
    }

    /** The grants that a caller has in a namespace, those of ClusterRoleBindings first. */
    Collection<Grant> of(Caller caller, String namespace) {
        Map<RbacId, Grant> all = new LinkedHashMap<>();
        Consumer<Grant> add = grant -> all.put(grant.binding().id(), grant);
        byNamespace.getOrDefault(CLUSTER, SubjectIndex.EMPTY).forEach(caller, add);
        byNamespace.getOrDefault(namespace, SubjectIndex.EMPTY).forEach(caller, add);
        return all.values();
    }

    /**
     * Why roles of the caller's bindings grant nothing, as an API server lists errors: each once,
     * several in brackets; empty for none.
     */
    String problems(Caller caller, String namespace) {
        List<String> problems = new ArrayList<>();
        for (Grant grant : of(caller, namespace)) {
            String problem = grant.role().problem();
            if (!problem.isEmpty() && !problems.contains(problem)) {
                problems.add(problem);
            }
        }
        return problems.size() < 2
                ? String.join("", problems)
                : "[" + String.join(", ", problems) + "]";
    }
}
