package io.tidemark.connector.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "configmaps=.data.password",
                "configmaps=.binaryData[*],.data['a.b']",
                "deployments.apps=.spec.template.spec.containers[*].env[*].value",
                "widgets.example.com=.spec['it\\'s, a=b \\\\'],.spec[*][*].é😀",
                "configmaps=.data.a,widgets.example.com=.metadata.annotations['x/y.z']",
                "pods=['spec-less'].metadata.name"
            })
    void aTextWithoutAChoiceIsItsOwnForm(String text) {
        String form = parse(text).toString();
        assertThat(parse(form)).isEqualTo(parse(text)).hasSameHashCodeAs(parse(text));
        assertThat(parse(form)).hasToString(form);
    }

    @Test
    void orderAndRepetitionAndQuotesDoNotChangeTheRules() {
        assertThat(parse("pods=.b,.a", "configmaps=.data['x'],pods=.a"))
                .isEqualTo(parse("configmaps=.data.x , pods=.a,.b"))
                .hasToString("configmaps=.data.x,pods=.a,.b");
        assertThat(parse("pods=.a")).isNotEqualTo(parse("pods=.b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "configmaps",
                "configmaps=",
                "=.data",
                ".data",
                "configmaps=data",
                "configmaps=.",
                "configmaps=.data.",
                "configmaps=.data..x",
                "configmaps=.data.*",
                "configmaps=.data[0]",
                "configmaps=.data[",
                "configmaps=.data['x",
                "configmaps=.data['x'",
                "configmaps=.data['x'y']",
                "configmaps=.data['x\\y']",
                "configmaps=.data[\"x\"]",
                "configmaps=.data x",
                "configmaps=.data['a\u0000b']",
                "configmaps=.data['\ud800']",
                "configmaps=.data,",
                "configmaps=[*].x",
                "configmaps=[*]",
                "config maps=.data",
                "configmap=.data",
                "widgets=.data",
                "widget.apps=.data",
                "Widgets.example.com=.data",
                "widgets..example.com=.data",
                "/registry/x=.data"
            })
    void refusesMalformedRules(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".metadata",
                "['metadata']",
                ".metadata[*]",
                ".metadata[*].x",
                ".metadata.name",
                ".metadata.namespace",
                ".metadata.uid",
                ".metadata.resourceVersion",
                ".metadata['resourceVersion']",
                ".metadata.name.x",
                ".apiVersion",
                ".kind",
                ".kind.x"
            })
    void refusesWhatAnObjectNeeds(String path) {
        assertThatThrownBy(() -> parse("configmaps=" + path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be redacted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "roles",
                "clusterrolebindings.rbac.authorization.k8s.io",
                "customresourcedefinitions.apiextensions.k8s.io"
            })
    void refusesResourcesThatNodesDecideBy(String resource) {
        assertThatThrownBy(() -> parse(resource + "=.rules"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nodes decide by them");
    }

    @Test
    void knowsEveryKindOfTheTables() {
        for (String name :
                List.of(
                        "configmaps",
                        "secrets",
                        "nodes",
                        "endpoints",
                        "ingresses",
                        "services",
                        "deployments",
                        "networkpolicies",
                        "storageclasses",
                        "cronjobs.batch",
                        "replicationcontrollers",
                        "poddisruptionbudgets.policy")) {
            assertThat(parse(name + "=.x")).hasToString(name + "=.x");
        }
    }

    @Test
    void boundsRules() {
        assertThat(parse(resources(64))).isNotNull();
        assertThatThrownBy(() -> parse(resources(65))).hasMessageContaining("at most 64");
        assertThatThrownBy(() -> parse("pods=.a" + longPath())).hasMessageContaining("4,096");
        assertThatThrownBy(() -> parse("pods=" + ".a".repeat(33)))
                .hasMessageContaining("more than 32 steps");
        assertThat(parse("pods=" + ".a".repeat(32))).isNotNull();
    }

    private static String longPath() {
        return ",." + "x".repeat(4_096);
    }

    private static String resources(int count) {
        return String.join(
                ",", IntStream.range(0, count).mapToObj(i -> "w" + i + "s.x.y=.a").toList());
    }

    private static RedactionRules parse(String... texts) {
        return RedactionRules.parse(List.of(texts));
    }
}
