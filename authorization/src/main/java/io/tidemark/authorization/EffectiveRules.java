package io.tidemark.authorization;

import java.util.List;

/**
 * The rules that apply to a caller in a namespace, as a SelfSubjectRulesReview lists them.
 *
 * @param resourceRules rules for resources, without paths
 * @param nonResourceRules verbs and paths
 * @param evaluationError why roles of the caller's bindings grant nothing; empty for none
 */
public record EffectiveRules(
        List<PolicyRule> resourceRules, List<PolicyRule> nonResourceRules, String evaluationError) {
    public EffectiveRules {
        resourceRules = List.copyOf(resourceRules);
        nonResourceRules = List.copyOf(nonResourceRules);
    }

    /** Splits the rules of roles by what they are for. */
    static EffectiveRules of(List<PolicyRule> rules, String evaluationError) {
        List<String> none = List.of();
        return new EffectiveRules(
                rules.stream()
                        .filter(rule -> !rule.resources().isEmpty())
                        .map(rule ->
                                new PolicyRule(
                                        rule.verbs(),
                                        rule.apiGroups(),
                                        rule.resources(),
                                        rule.resourceNames(),
                                        none))
                        .toList(),
                rules.stream()
                        .filter(rule -> !rule.nonResourceUrls().isEmpty())
                        .map(rule ->
                                new PolicyRule(
                                        rule.verbs(), none, none, none, rule.nonResourceUrls()))
                        .toList(),
                evaluationError);
    }
}
