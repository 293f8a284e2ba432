package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;
import io.tidemark.authorization.RbacObject.Principal;
import io.tidemark.authorization.RbacObject.Subject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one namespace, or of all ClusterRoleBindings, by their subject. Immutable.
 *
 * @param users by name, ServiceAccounts among them; then by binding
 * @param groups by name, then by binding
 */
record SubjectIndex(
        PersistentMap<String, PersistentMap<RbacId, Grant>> users,
        PersistentMap<String, PersistentMap<RbacId, Grant>> groups) {
    static final SubjectIndex EMPTY =
            new SubjectIndex(PersistentMap.empty(), PersistentMap.empty());

    boolean isEmpty() {
        return users.isEmpty() && groups.isEmpty();
    }

    /** Adds a grant, in place of another one of a binding that is equal. */
    SubjectIndex with(Grant grant) {
        return changed(grant.binding(), grants -> grants.with(grant.binding().id(), grant));
    }

    SubjectIndex without(Binding binding) {
        return changed(binding, grants -> grants.without(binding.id()));
    }

    private SubjectIndex changed(
            Binding binding, UnaryOperator<PersistentMap<RbacId, Grant>> change) {
        PersistentMap<String, PersistentMap<RbacId, Grant>> newUsers = users;
        PersistentMap<String, PersistentMap<RbacId, Grant>> newGroups = groups;
        for (Principal principal : principals(binding)) {
            if (principal.group()) {
                newGroups = changed(newGroups, principal.name(), change);
            } else {
                newUsers = changed(newUsers, principal.name(), change);
            }
        }
        return new SubjectIndex(newUsers, newGroups);
    }

    private static Set<Principal> principals(Binding binding) {
        Set<Principal> principals = new LinkedHashSet<>();
        for (Subject subject : binding.subjects()) {
            subject.principal(binding.id().namespace()).ifPresent(principals::add);
        }
        return principals;
    }

    private static PersistentMap<String, PersistentMap<RbacId, Grant>> changed(
            PersistentMap<String, PersistentMap<RbacId, Grant>> map,
            String name,
            UnaryOperator<PersistentMap<RbacId, Grant>> change) {
        PersistentMap<RbacId, Grant> grants =
                change.apply(map.getOrDefault(name, PersistentMap.empty()));
        return grants.isEmpty() ? map.without(name) : map.with(name, grants);
    }

    /** A grant of the caller that meets the condition; null when there is none. */
    @Nullable Grant find(Caller caller, Predicate<Grant> condition) {
        PersistentMap<RbacId, Grant> own = users.get(caller.name());
        Grant found = own == null ? null : own.find(condition);
        List<String> names = caller.groups();
        for (int i = 0; found == null && i < names.size(); i++) {
            PersistentMap<RbacId, Grant> shared = groups.get(names.get(i));
            found = shared == null ? null : shared.find(condition);
        }
        return found;
    }

    /** Passes each grant of the caller, some perhaps repeatedly. */
    void forEach(Caller caller, Consumer<Grant> action) {
        users.getOrDefault(caller.name(), PersistentMap.empty())
                .forEach((_, grant) -> action.accept(grant));
        for (String group : caller.groups()) {
            groups.getOrDefault(group, PersistentMap.empty())
                    .forEach((_, grant) -> action.accept(grant));
        }
    }
}
