package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.Collection;

/**
 * Sixty-four bits of a rule or of a request. A rule that lacks a bit of a request does not allow
 * it; one that has them all may allow it. Most rules fail at most requests here, without a look at
 * their texts.
 *
 * <p>Each verb, API group and resource has one bit of its kind, which it may share with others. A
 * star has all bits of its kind. Subresources have the bit of their resource, paths one for all.
 */
final class RuleMask {
    private static final int RESOURCES = 42;
    private static final int VERBS = 11;
    private static final int API_GROUPS = 10;
    private static final int FIRST_VERB = RESOURCES;
    private static final int FIRST_API_GROUP = RESOURCES + VERBS;
    private static final long PATHS = Long.MIN_VALUE;
    private static final String ALL = "*";

    private RuleMask() {}

    static long of(RequestAttributes request) {
        long verb = bits(request.verb(), FIRST_VERB, VERBS);
        return switch (request) {
            case ResourceRequest resource ->
                    verb
                            | bits(resource.apiGroup(), FIRST_API_GROUP, API_GROUPS)
                            | resource(resource.resource());
            case NonResourceRequest _ -> verb | PATHS;
        };
    }

    static long of(PolicyRule rule) {
        long mask = rule.nonResourceUrls().isEmpty() ? 0 : PATHS;
        for (String verb : rule.verbs()) {
            mask |= bits(verb, FIRST_VERB, VERBS);
        }
        for (String apiGroup : rule.apiGroups()) {
            mask |= bits(apiGroup, FIRST_API_GROUP, API_GROUPS);
        }
        for (String resource : rule.resources()) {
            mask |= resource(resource);
        }
        return mask;
    }

    /** Of several rules: they may allow what one of them may. */
    static long of(Collection<PolicyRule> rules) {
        long mask = 0;
        for (PolicyRule rule : rules) {
            mask |= of(rule);
        }
        return mask;
    }

    /** Whether a rule of this mask may allow a request of that one. */
    static boolean mayAllow(long rule, long request) {
        return (rule & request) == request;
    }

    private static long resource(String resource) {
        int slash = resource.indexOf('/');
        return bits(slash < 0 ? resource : resource.substring(0, slash), 0, RESOURCES);
    }

    private static long bits(String word, int first, int count) {
        return word.equals(ALL)
                ? (1L << count) - 1 << first
                : 1L << first + Math.floorMod(word.hashCode(), count);
    }
}
