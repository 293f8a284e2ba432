package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.model.ModelState;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.RbacValue;
import io.tidemark.simulation.model.RbacValue.Rule;
import io.tidemark.simulation.model.ReferenceModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The promise about rights accepts what some rules justify, and detects what none do. */
class AccessGuaranteesTest {
    private static final Identity ANNA = new Identity("anna", Set.of("team"));
    private static final Demand PODS = new Demand.OfObjects("list", "pods", "blue", "");
    private static final Demand PATH = new Demand.OfPath("get", "/kv/registry/pods/blue/*");
    private static final String BINDING = "/registry/clusterrolebindings/anna";

    private final ReferenceModel model = new ReferenceModel(_ -> true);

    private long put(String key, @Nullable Payload payload) {
        Map<Bytes, @Nullable Payload> write = new LinkedHashMap<>();
        write.put(Bytes.utf8(key), payload);
        return model.commit(write, 0, 0);
    }

    private long role(Set<String> verbs, Rule... more) {
        List<Rule> rules = new ArrayList<>(List.of(Rule.objects(verbs, Set.of("pods"), Set.of())));
        rules.addAll(List.of(more));
        return put(
                "/registry/clusterroles/reader",
                Payload.rbac("", "reader", new RbacValue.Role(rules)));
    }

    private long bind(Set<String> users, Set<String> groups) {
        return put(
                BINDING,
                Payload.rbac("", "anna", new RbacValue.Binding(true, "reader", users, groups)));
    }

    private boolean isKept(boolean allowed, long from, long to, Demand... demands) {
        RecordedDecision decision =
                new RecordedDecision(
                        "a state",
                        ANNA,
                        List.of(demands),
                        allowed,
                        new ModelState(1, from),
                        new ModelState(model.current().epoch(), to));
        return AccessGuarantees.authorized(decision, model.rights()).isEmpty();
    }

    @Test
    void anAnswerObeysRulesAsOfItOrLater() {
        long before = role(Set.of("list"));
        long bound = bind(Set.of("anna"), Set.of());
        long revoked = put(BINDING, null);

        assertThat(isKept(true, bound, bound, PODS)).isTrue();
        assertThat(isKept(true, before, bound, PODS)).as("by later rules").isTrue();
        assertThat(isKept(true, bound, revoked, PODS)).as("before the revocation").isTrue();
        assertThat(isKept(true, before, before, PODS)).as("before the grant").isFalse();
        assertThat(isKept(true, revoked, revoked, PODS)).as("after the revocation").isFalse();

        long other = put("/registry/pods/blue/a", Payload.object("a", Map.of(), 1));
        assertThat(isKept(true, other, other, PODS)).as("long after it").isFalse();
        long again = bind(Set.of(), Set.of("team"));
        assertThat(isKept(true, other, again, PODS)).as("granted again, to a group").isTrue();
    }

    @Test
    void oneStateMustAllowAllDemands() {
        role(Set.of("list"));
        long onlyPods = bind(Set.of("anna"), Set.of());
        long onlyPath = role(Set.of(), Rule.paths("/kv/*"));
        assertThat(isKept(true, onlyPods, onlyPath, PODS, PATH)).isFalse();
        long both = role(Set.of("list"), Rule.paths("/kv/registry/*"));
        assertThat(isKept(true, both, both, PODS, PATH)).isTrue();
    }

    @Test
    void refusalsNeedRulesThatDeny() {
        role(Set.of("list"));
        long bound = bind(Set.of("anna"), Set.of());
        assertThat(isKept(false, bound, bound, PODS)).isFalse();
        long watchOnly = role(Set.of("watch"));
        assertThat(isKept(false, watchOnly, watchOnly, PODS)).isTrue();
    }

    @Test
    void aLaterHistoryIsNewer() {
        role(Set.of("list"));
        long bound = bind(Set.of("anna"), Set.of());
        long revoked = put(BINDING, null);
        model.restore(bound, 0);
        assertThat(isKept(true, revoked, bound, PODS)).as("the backup has the right").isTrue();
        long gone = put(BINDING, null);
        model.restore(gone, 0);
        assertThat(isKept(true, gone, gone, PODS)).as("it had it in between").isTrue();
    }

    @Test
    void bindingsOfANamespaceCountThereOnly() {
        put(
                "/registry/roles/blue/reader",
                Payload.rbac(
                        "blue",
                        "reader",
                        new RbacValue.Role(
                                List.of(Rule.objects(Set.of("list"), Set.of("*"), Set.of("p1"))))));
        long bound =
                put(
                        "/registry/rolebindings/blue/anna",
                        Payload.rbac(
                                "blue",
                                "anna",
                                new RbacValue.Binding(false, "reader", Set.of("anna"), Set.of())));
        assertThat(isKept(true, bound, bound, new Demand.OfObjects("list", "pods", "blue", "p1")))
                .isTrue();
        assertThat(isKept(true, bound, bound, PODS)).as("any name").isFalse();
        assertThat(isKept(true, bound, bound, new Demand.OfObjects("list", "pods", "red", "p1")))
                .isFalse();
        assertThat(isKept(true, bound, bound, new Demand.OfObjects("list", "pods", "", "p1")))
                .isFalse();
    }

    @Test
    void aWatchThatStaysOpenBreaksThePromise() {
        RecordedClient client = new RecordedClient("client 0");
        client.rightsBroken("it stays open");
        assertThat(new Guarantees(model, 0).check(client).violations())
                .extracting(Violation::promise)
                .containsExactly(Promise.AUTHORIZED);
    }
}
