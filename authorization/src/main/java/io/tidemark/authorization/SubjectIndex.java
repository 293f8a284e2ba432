package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;
import io.tidemark.authorization.RbacObject.Principal;
import io.tidemark.authorization.RbacObject.Subject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one namespace, or of all ClusterRoleBindings, by their subject. Immutable.
 *
 * @param users by name, ServiceAccounts among them
 * @param groups by name
 */
record SubjectIndex(
        PersistentMap<String, GrantList> users, PersistentMap<String, GrantList> groups) {
    static final SubjectIndex EMPTY =
            new SubjectIndex(PersistentMap.empty(), PersistentMap.empty());

    boolean isEmpty() {
        return users.isEmpty() && groups.isEmpty();
    }

    /** Adds a grant, in place of another one of a binding that is equal. */
    SubjectIndex with(Grant grant) {
        return changed(grant.binding(), grants -> grants.with(grant));
    }

    SubjectIndex without(Binding binding) {
        return changed(binding, grants -> grants.without(binding.id()));
    }

    private SubjectIndex changed(Binding binding, UnaryOperator<GrantList> change) {
        PersistentMap<String, GrantList> newUsers = users;
        PersistentMap<String, GrantList> newGroups = groups;
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

    private static PersistentMap<String, GrantList> changed(
            PersistentMap<String, GrantList> map, String name, UnaryOperator<GrantList> change) {
        GrantList grants = change.apply(map.getOrDefault(name, GrantList.EMPTY));
        return grants.isEmpty() ? map.without(name) : map.with(name, grants);
    }

    /** A grant of the caller that allows the request; null when there is none. */
    @Nullable Grant allowing(Caller caller, RequestAttributes request, long bits) {
        GrantList own = users.get(caller.name());
        Grant found = own == null ? null : own.allowing(request, bits);
        List<String> names = caller.groups();
        for (int i = 0; found == null && i < names.size(); i++) {
            GrantList shared = groups.get(names.get(i));
            found = shared == null ? null : shared.allowing(request, bits);
        }
        return found;
    }

    /** Passes each grant of the caller, some perhaps repeatedly. */
    void forEach(Caller caller, Consumer<Grant> action) {
        users.getOrDefault(caller.name(), GrantList.EMPTY).forEach(action);
        for (String group : caller.groups()) {
            groups.getOrDefault(group, GrantList.EMPTY).forEach(action);
        }
    }
}
