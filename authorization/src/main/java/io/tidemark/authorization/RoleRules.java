package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.json.GoQuote;
import java.util.List;

/**
 * What a role grants, with a summary at which most requests fail.
 *
 * @param problem why there are no rules, in the words of a denial; empty when the role was found
 * @param covers the {@link #bitsOf} all requests that the rules may allow
 */
record RoleRules(List<PolicyRule> rules, String problem, long covers) {
    private static final long PATHS = Long.MIN_VALUE;

    static RoleRules of(List<PolicyRule> rules) {
        long covers = 0;
        for (PolicyRule rule : rules) {
            for (String resource : rule.resources()) {
                covers |= bitsOf(resource);
            }
            covers |= rule.nonResourceUrls().isEmpty() ? 0 : PATHS;
        }
        return new RoleRules(List.copyOf(rules), "", covers);
    }

    /** A role that grants nothing, for a reason. */
    private static RoleRules none(String problem) {
        return new RoleRules(List.of(), problem, 0);
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

    /** One bit: a role without it allows no such request. Paths have one for all. */
    static long bitsOf(RequestAttributes request) {
        return switch (request) {
            case ResourceRequest resource -> bitsOf(resource.resource());
            case NonResourceRequest _ -> PATHS;
        };
    }

    /**
     * A resource and its subresources have one bit, which they may share with others. A star has
     * the bits of all resources.
     */
    private static long bitsOf(String resource) {
        int slash = resource.indexOf('/');
        String whole = slash < 0 ? resource : resource.substring(0, slash);
        return whole.equals("*") ? ~PATHS : 1L << Math.floorMod(whole.hashCode(), 63);
    }

    boolean allow(RequestAttributes request) {
        for (PolicyRule rule : rules) {
            if (rule.allows(request)) {
                return true;
            }
        }
        return false;
    }
}
