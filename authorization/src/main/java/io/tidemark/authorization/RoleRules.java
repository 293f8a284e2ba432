package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.json.GoQuote;
import java.util.List;

/**
 * What a role grants, with a summary that most requests fail at a glance.
 *
 * @param problem why there are no rules, in the words of a denial; empty when the role was found
 * @param resources a bit for each resource that a rule names: {@link #bitOf}
 * @param paths whether a rule names paths
 */
record RoleRules(List<PolicyRule> rules, String problem, long resources, boolean paths) {

    static RoleRules of(List<PolicyRule> rules) {
        long resources = 0;
        boolean paths = false;
        for (PolicyRule rule : rules) {
            for (String resource : rule.resources()) {
                resources |= bitOf(resource);
            }
            paths |= !rule.nonResourceUrls().isEmpty();
        }
        return new RoleRules(List.copyOf(rules), "", resources, paths);
    }

    /** A role that grants nothing, for a reason. */
    static RoleRules none(String problem) {
        return new RoleRules(List.of(), problem, 0, false);
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

    /** The bits that a rule must have one of to allow the request; 0 for a path. */
    static long bitsOf(RequestAttributes request) {
        return switch (request) {
            case ResourceRequest resource -> bitOf(resource.resource());
            case NonResourceRequest _ -> 0;
        };
    }

    /**
     * A resource with all its subresources shares one of 64 bits with others. A star has all bits.
     */
    private static long bitOf(String resource) {
        int slash = resource.indexOf('/');
        String whole = slash < 0 ? resource : resource.substring(0, slash);
        return whole.equals("*") ? -1 : 1L << (whole.hashCode() * 0x9E3779B9 >>> 26);
    }

    /**
     * @param bits {@link #bitsOf} the request
     */
    boolean allows(RequestAttributes request, long bits) {
        if (bits == 0 ? !paths : (resources & bits) == 0) {
            return false;
        }
        for (PolicyRule rule : rules) {
            if (rule.allows(request)) {
                return true;
            }
        }
        return false;
    }
}
