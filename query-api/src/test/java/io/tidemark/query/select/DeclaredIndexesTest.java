package io.tidemark.query.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredIndexesTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");

    @Test
    void assignsAPathToThePrecedingResource() {
        DeclaredIndexes declared =
                DeclaredIndexes.parse(
                        List.of(
                                "pods=spec.nodeName,status.phase, deployments = spec.replicas",
                                "widgets.peers.example.com=.spec.tier",
                                "pods=spec.priority"));

        assertThat(declared.fields())
                .isEqualTo(
                        Map.of(
                                "pods",
                                Set.of("spec.nodeName", "status.phase", "spec.priority"),
                                "deployments.apps",
                                Set.of("spec.replicas"),
                                "widgets.peers.example.com",
                                Set.of("spec.tier")));
    }

    @Test
    void mapsToKeyPrefixesOfStoredObjects() {
        assertThat(
                        DeclaredIndexes.parse(
                                        List.of(
                                                "services=spec.type,nodes=spec.podCIDR",
                                                "widgets.peers.example.com=spec.tier",
                                                "events.events.k8s.io=regarding.kind",
                                                "events=involvedObject.name,pods=spec.host"))
                                .byKeyPrefix(PREFIX))
                .isEqualTo(
                        Map.of(
                                Bytes.utf8("/registry/services/specs/"),
                                Set.of("spec.type"),
                                Bytes.utf8("/registry/minions/"),
                                Set.of("spec.podCIDR"),
                                Bytes.utf8("/registry/peers.example.com/widgets/"),
                                Set.of("spec.tier"),
                                Bytes.utf8("/registry/events/"),
                                Set.of("involvedObject.kind", "involvedObject.name"),
                                Bytes.utf8("/registry/pods/"),
                                Set.of("spec.nodeName")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pods",
                "spec.nodeName",
                "=spec.nodeName",
                "pods=",
                "pods=a,,b",
                "pods=a..b",
                "pods=a,",
                "widgets=spec.tier",
                "Pods=spec.nodeName"
            })
    void refusesInvalidDeclarations(String text) {
        assertThatThrownBy(() -> DeclaredIndexes.parse(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'");
    }

    @Test
    void limitsTheNumberOfFields() {
        String many = "pods=" + "a,".repeat(256) + "a";
        assertThatThrownBy(() -> DeclaredIndexes.parse(List.of(many)))
                .hasMessage("more than 256 fields");
    }
}
