package io.tidemark.authorization;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that one caller has in one {@link SubjectIndex}, side by side in memory. Immutable, as
 * the index is: it holds as long as the index does.
 */
final class CallerGrants {
    /** Above, each request looks the caller up: kept grants take about 16 KiB at most. */
    static final int MAX_RULES = 1_024;

    static final int MAX_GROUPS = 256;

    private final String name;
    private final List<String> groups;
    private final long[] masks;
    private final PolicyRule[] rules;

    /** Of the rule at the same place. */
    private final Grant[] grants;

    private CallerGrants(Caller caller, List<Grant> all, int count) {
        name = caller.name();
        groups = caller.groups();
        masks = new long[count];
        rules = new PolicyRule[count];
        grants = new Grant[count];
        int at = 0;
        for (Grant grant : all) {
            for (PolicyRule rule : grant.role().rules()) {
                masks[at] = RuleMask.of(rule);
                rules[at] = rule;
                grants[at++] = grant;
            }
        }
    }

    /** Null for a caller with more groups or rules than are kept. */
    static @Nullable CallerGrants of(Caller caller, SubjectIndex index) {
        if (caller.groups().size() > MAX_GROUPS) {
            return null;
        }
        List<Grant> all = new ArrayList<>();
        index.forEach(caller, all::add);
        int count = 0;
        for (Grant grant : all) {
            count += grant.role().rules().size();
            if (count > MAX_RULES) {
                return null;
            }
        }
        return new CallerGrants(caller, all, count);
    }

    /** Whether they are this caller's; RBAC looks at the name and the groups only. */
    boolean areOf(Caller caller) {
        return name.equals(caller.name()) && groups.equals(caller.groups());
    }

    /**
     * A grant that allows the request; null when there is none.
     *
     * @param mask of the request
     */
    @Nullable Grant allowing(RequestAttributes request, long mask) {
        for (int i = 0; i < masks.length; i++) {
            if (RuleMask.mayAllow(masks[i], mask) && rules[i].allows(request)) {
                return grants[i];
            }
        }
        return null;
    }
}
