package io.tidemark.authorization;

import io.tidemark.json.GoQuote;
import java.util.List;

/** What a role grants. A role and each of its rules has a {@link RuleMask}. */
final class RoleRules {
    private final List<PolicyRule> rules;
    private final String problem;
    private final long[] masks;
    private final long mask;

    private RoleRules(List<PolicyRule> rules, String problem) {
        this.rules = List.copyOf(rules);
        this.problem = problem;
        this.masks = rules.stream().mapToLong(RuleMask::of).toArray();
        this.mask = RuleMask.of(rules);
    }

    static RoleRules of(List<PolicyRule> rules) {
        return new RoleRules(rules, "");
    }

    /** A role that grants nothing, for a reason. */
    private static RoleRules none(String problem) {
        return new RoleRules(List.of(), problem);
    }

    List<PolicyRule> rules() {
        return rules;
    }

    /** Why there are no rules, in the words of a denial; empty when the role was found. */
    String problem() {
        return problem;
    }

    /** Of all rules together. */
    long mask() {
        return mask;
    }

    boolean hasSame(RoleRules other) {
        return rules.equals(other.rules) && problem.equals(other.problem);
    }

    /** The role of a binding whose roleRef names no known kind. */
    static RoleRules ofKind(String kind) {
        return none("unsupported role reference kind: " + GoQuote.string(kind));
    }

    static RoleRules missing(RbacId role) {
        return none(text(role) + " not found");
    }

    static RoleRules unreadable(RbacId role) {
        return none(text(role) + " cannot be read");
    }

    private static String text(RbacId role) {
        String resource = role.kind() == RbacKind.ROLE ? "role" : "clusterrole";
        return resource + ".rbac.authorization.k8s.io " + GoQuote.string(role.name());
    }

    /**
     * @param request its mask
     */
    boolean allow(RequestAttributes attributes, long request) {
        for (int i = 0; i < masks.length; i++) {
            if (RuleMask.mayAllow(masks[i], request) && rules.get(i).allows(attributes)) {
                return true;
            }
        }
        return false;
    }
}
