package io.tidemark.query.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FieldSelectorsTest {
    private final Catalog catalog =
            FixedCatalog.of(BuiltInResources.under(Bytes.utf8("/registry/")));
    private final Resource pods = resource("", "pods");

    @Test
    void parsesAllFormsOfEquality() {
        assertThat(
                        FieldSelectors.parse(
                                "metadata.name=a,spec.nodeName==b,status.phase!=c,"
                                        + "metadata.namespace=",
                                pods))
                .containsExactly(
                        field("metadata.name", Operator.IN, "a"),
                        field("metadata.namespace", Operator.IN, ""),
                        field("spec.nodeName", Operator.IN, "b"),
                        field("status.phase", Operator.NOT_IN, "c"));
    }

    @Test
    void unescapesBackslashes() {
        assertThat(FieldSelectors.parse("metadata.name=a\\,b\\=c\\\\", pods))
                .containsExactly(field("metadata.name", Operator.IN, "a,b=c\\"));
        refused("metadata.name=a\\", "invalid field selector: invalid escape sequence: \\");
        refused("metadata.name=a\\x", "invalid field selector: invalid escape sequence: \\x");
        refused("metadata.name=a=b", "invalid field selector: unescaped character in value: 61");
    }

    @Test
    void treatsAbsentFieldsAsTheirDefault() {
        assertThat(FieldSelectors.parse("spec.unschedulable=false", resource("", "nodes")))
                .containsExactly(field("spec.unschedulable", Operator.IN, "false", ""));
        assertThat(FieldSelectors.parse("status.successful!=0", resource("batch", "jobs")))
                .containsExactly(field("status.successful", Operator.NOT_IN, "0", ""));
    }

    /** To an API server their value is {@code "false"} or {@code "0"}, never empty. */
    @Test
    void fieldsWithADefaultAreNeverEmpty() {
        assertThat(FieldSelectors.parse("spec.unschedulable=", resource("", "nodes")))
                .containsExactly(field("spec.unschedulable", Operator.IN, "never"));
        assertThat(FieldSelectors.parse("status.successful!=", resource("batch", "jobs")))
                .containsExactly(field("status.successful", Operator.NOT_IN, "never"));
    }

    @Test
    void mapsNewerEventFieldsToStoredNames() {
        assertThat(FieldSelectors.parse("regarding.kind=Pod", resource("events.k8s.io", "events")))
                .containsExactly(field("involvedObject.kind", Operator.IN, "Pod"));
    }

    @Test
    void refusesWithTheMessageOfTheKind() {
        assertThat(refusal("a=b", pods)).isEqualTo("field label not supported: a");
        assertThat(refusal("a=b", resource("", "configmaps")))
                .isEqualTo(
                        "\"a\" is not a known field selector: only \"metadata.name\","
                                + " \"metadata.namespace\"");
        assertThat(refusal("a=b", resource("batch", "jobs")))
                .isEqualTo("field label \"a\" not supported for Job");
        assertThat(refusal("a=b", resource("resource.k8s.io", "resourceslices")))
                .isEqualTo(
                        "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: a");
        assertThat(refusal("metadata.namespace=x", resource("", "nodes")))
                .isEqualTo("field label not supported: metadata.namespace");
    }

    @Test
    void parsesOrRefusesAnyText() {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        String[] pieces = {"metadata.name", "=", "!=", "==", ",", "\\", "%s", " ", "é", "\ud800"};
        for (int round = 0; round < 10_000; round++) {
            StringBuilder selector = new StringBuilder();
            for (int i = random.nextInt(10); i > 0; i--) {
                selector.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                assertThat(FieldSelectors.parse(selector.toString(), pods)).isNotNull();
            } catch (StatusException e) {
                assertThat(e.status().code()).as("seed %d: %s", seed, selector).isEqualTo(400);
            }
        }
    }

    private void refused(String selector, String message) {
        assertThatThrownBy(() -> FieldSelectors.parse(selector, pods)).hasMessage(message);
    }

    private static String refusal(String selector, Resource resource) {
        try {
            List<Requirement> parsed = FieldSelectors.parse(selector, resource);
            return "parsed: " + parsed;
        } catch (StatusException e) {
            return e.status().message();
        }
    }

    private Resource resource(String group, String plural) {
        return catalog.find(group, "v1", plural).orElseThrow();
    }

    private static Requirement field(String name, Operator operator, String... values) {
        return new Requirement(Source.FIELD, name, operator, Set.of(values));
    }

    @Test
    void acceptsAnyPathWithALeadingDot() {
        assertThat(FieldSelectors.parse(".spec.priority!=3,.spec.nodeName=n", pods))
                .containsExactly(
                        field("spec.nodeName", Operator.IN, "n"),
                        field("spec.priority", Operator.NOT_IN, "3"));
        assertThat(FieldSelectors.parse(".status.replicas=1", resource("apps", "replicasets")))
                .containsExactly(field("status.replicas", Operator.IN, "1"));
        assertThat(FieldSelectors.parse(".regarding.kind=Pod", resource("events.k8s.io", "events")))
                .as("a known name keeps its meaning")
                .containsExactly(field("involvedObject.kind", Operator.IN, "Pod"));
        assertThat(
                        FieldSelectors.parse(
                                ".metadata.annotations.example\\.com/x=y", resource("", "nodes")))
                .containsExactly(field("metadata.annotations.example\\.com/x", Operator.IN, "y"));
        for (String bad : List.of(".", "..a", ".a..b", ".a.", ". ")) {
            refused(bad + "=1", "field label not supported: " + bad);
        }
    }

    @Test
    void acceptsDeclaredFields() {
        DeclaredIndexes declared =
                DeclaredIndexes.parse(List.of("pods=spec.priorityClassName,status.phase"));

        assertThat(
                        FieldSelectors.parse(
                                "spec.priorityClassName=x", declared.withIndexedFields(pods)))
                .containsExactly(field("spec.priorityClassName", Operator.IN, "x"));
        refused("spec.priorityClassName=x", "field label not supported: spec.priorityClassName");
    }
}
