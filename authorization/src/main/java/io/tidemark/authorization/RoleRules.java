package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.json.GoQuote;
import java.util.Arrays;
import java.util.List;

/** What a role grants. A role and each of its rules has a summary at which most requests fail. */
final class RoleRules {
    private static final long PATHS = Long.MIN_VALUE;

    private final List<PolicyRule> rules;
    private final String problem;
    private final long[] summaries;
    private final long summary;

    private RoleRules(List<PolicyRule> rules, String problem) {
        this.rules = List.copyOf(rules);
        this.problem = problem;
        this.summaries = rules.stream().mapToLong(RoleRules::summary).toArray();
        this.summary = Arrays.stream(summaries).reduce(0, (some, more) -> some | more);
    }

    static RoleRules of(List<PolicyRule> rules) {
        return new RoleRules(rules, "");
    }

    /** A role that grants nothing, for a reason. */
    private static RoleRules none(String problem) {
        return new RoleRules(List.of(), problem);
    }

    private static long summary(PolicyRule rule) {
        long bits = rule.nonResourceUrls().isEmpty() ? 0 : PATHS;
        for (String resource : rule.resources()) {
            bits |= bitsOf(resource);
        }
        return bits;
    }

    List<PolicyRule> rules() {
        return rules;
    }

    /** Why there are no rules, in the words of a denial; empty when the role was found. */
    String problem() {
        return problem;
    }

    /** The {@link #bitsOf} all requests that the rules may allow. */
    long summary() {
        return summary;
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

    /**
     * @param bits {@link #bitsOf} the request
     */
    boolean allow(RequestAttributes request, long bits) {
        for (int i = 0; i < summaries.length; i++) {
            if ((summaries[i] & bits) != 0 && rules.get(i).allows(request)) {
                return true;
            }
        }
        return false;
    }
}
