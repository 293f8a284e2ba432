package io.tidemark.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authorization.Case.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The product and the reference agree on random rules, users and requests. */
class RandomRulesTest {
    private static final int CASES = 10_000;

    private static final Predicate<Case> DIFFER =
            question -> !ProductRbac.answer(question).equals(ReferenceRbac.answer(question));

    @Test
    void decidesAsTheReference() {
        RandomCases random = new RandomCases(1);
        int allowed = 0;
        int problems = 0;
        for (int i = 0; i < CASES; i++) {
            Case question = random.next();
            Answer expected = ReferenceRbac.answer(question);
            if (DIFFER.test(question)) {
                Case smallest = CaseShrinker.shrink(question, DIFFER);
                assertThat(ProductRbac.answer(smallest))
                        .as("case %d, shrunk: %s", i, smallest)
                        .isEqualTo(ReferenceRbac.answer(smallest));
            }
            allowed += expected.allowed() ? 1 : 0;
            problems += expected.problems().isEmpty() ? 0 : 1;
        }
        assertThat(allowed).isBetween(CASES / 15, CASES / 2);
        assertThat(problems).isGreaterThan(CASES / 50);
    }

    /** After any changes, only the objects that exist now count. */
    @Test
    void forgetsWhatWasReplacedOrDeleted() {
        RandomCases random = new RandomCases(2);
        Random dice = new Random(3);
        RbacRules rules = RbacRules.empty(true);
        Map<RbacId, Map<String, Object>> now = new LinkedHashMap<>();
        for (int i = 0; i < CASES; i++) {
            Map<String, Object> object = random.object();
            RbacId id = ProductRbac.id(object);
            switch (dice.nextInt(5)) {
                case 0 -> {
                    rules = rules.delete(id);
                    now.remove(id);
                }
                case 1 -> {
                    rules = rules.put(id, new byte[] {'{'});
                    assertThat(rules.unreadable()).containsKey(id);
                    rules = rules.delete(id);
                    now.remove(id);
                }
                default -> {
                    rules = rules.put(id, Case.bytes(object));
                    now.put(id, object);
                }
            }
            Case question = new Case(List.copyOf(now.values()), random.user(), random.request());
            assertThat(ProductRbac.answer(rules, question))
                    .as("step %d: %s", i, question)
                    .isEqualTo(ReferenceRbac.answer(question));
        }
    }

    /** As the API server's comparison of policies has it: who covers a rule can do all of it. */
    @Test
    void aRuleThatCoversAnotherAllowsAllThatTheOtherAllows() {
        RandomCases random = new RandomCases(4);
        int covering = 0;
        for (int i = 0; i < 20 * CASES; i++) {
            Map<String, Object> large = random.rule();
            Map<String, Object> small = random.rule();
            if (!RuleCover.covers(large, small)) {
                continue;
            }
            covering++;
            for (int j = 0; j < 20; j++) {
                RequestAttributes request = ProductRbac.request(random.request());
                if (rule(small).allows(request)) {
                    assertThat(rule(large).allows(request))
                            .as("%s covers %s: %s", large, small, request)
                            .isTrue();
                }
            }
        }
        assertThat(covering).isGreaterThan(100);
    }

    @SuppressWarnings("unchecked")
    private static PolicyRule rule(Map<String, Object> rule) {
        return new PolicyRule(
                (List<String>) rule.getOrDefault("verbs", List.of()),
                (List<String>) rule.getOrDefault("apiGroups", List.of()),
                (List<String>) rule.getOrDefault("resources", List.of()),
                (List<String>) rule.getOrDefault("resourceNames", List.of()),
                (List<String>) rule.getOrDefault("nonResourceURLs", List.of()));
    }
}
