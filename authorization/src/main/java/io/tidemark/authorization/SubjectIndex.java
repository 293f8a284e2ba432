package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;
import io.tidemark.authorization.RbacObject.Principal;
import io.tidemark.authorization.RbacObject.Subject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The grants of one namespace, or of all ClusterRoleBindings, by their subject. Immutable. */
final class SubjectIndex {
    static final SubjectIndex EMPTY =
            new SubjectIndex(PersistentMap.empty(), PersistentMap.empty());

    /** By name, ServiceAccounts among them. */
    private final PersistentMap<String, GrantList> users;

    private final PersistentMap<String, GrantList> groups;

    /** Made by the first check that needs them, as most changes come in rows without a check. */
    private volatile @Nullable NameFilter groupFilter;

    private volatile @Nullable CallerCache callers;

    private SubjectIndex(
            PersistentMap<String, GrantList> users, PersistentMap<String, GrantList> groups) {
        this.users = users;
        this.groups = groups;
    }

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

    /**
     * A grant of the caller that allows the request; null when there is none. For a namespace, in
     * which most groups have no grants.
     *
     * @param mask of the request
     */
    @Nullable Grant allowing(Caller caller, RequestAttributes request, long mask) {
        GrantList own = users.get(caller.name());
        Grant found = own == null ? null : own.allowing(request, mask);
        NameFilter filter = groupFilter();
        List<String> names = caller.groups();
        for (int i = 0; found == null && i < names.size(); i++) {
            GrantList shared = filter.mayHave(names.get(i)) ? groups.get(names.get(i)) : null;
            found = shared == null ? null : shared.allowing(request, mask);
        }
        return found;
    }

    /**
     * The same. For ClusterRoleBindings, which every request meets: it keeps the grants of callers
     * together. Each namespace would need as much memory.
     */
    @Nullable Grant allowingCached(Caller caller, RequestAttributes request, long mask) {
        CallerGrants grants = callers().of(caller);
        return grants == null ? allowing(caller, request, mask) : grants.allowing(request, mask);
    }

    private NameFilter groupFilter() {
        NameFilter filter = groupFilter;
        if (filter == null) {
            List<String> names = new ArrayList<>();
            groups.forEach((name, _) -> names.add(name));
            filter = new NameFilter(names);
            groupFilter = filter;
        }
        return filter;
    }

    private CallerCache callers() {
        CallerCache cache = callers;
        if (cache == null) {
            cache = new CallerCache(this);
            callers = cache;
        }
        return cache;
    }

    /** Passes each grant of the caller, some perhaps repeatedly. */
    void forEach(Caller caller, Consumer<Grant> action) {
        users.getOrDefault(caller.name(), GrantList.EMPTY).forEach(action);
        for (String group : caller.groups()) {
            groups.getOrDefault(group, GrantList.EMPTY).forEach(action);
        }
    }
}
