package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretKeysTest {
    @ParameterizedTest
    @CsvSource({
        "/registry/,/registry/,/registry/secrets/ns/s,true",
        "/registry/,/registry/,/registry/secrets,true",
        "/registry/,/registry/,/registry//secrets/ns/s,true",
        "/registry/,/registry/,/registry/Secrets/ns/s,true",
        "/registry,/registry/,/registry/secrets/ns/s,true",
        "/registry/,/registry/,/registry/secretstores/ns/s,false",
        "/registry/,/registry/,/registry/secret,false",
        "/registry/,/registry/,/registry/example.com/secrets/ns/s,false",
        "/registry/,/registry/,/registry/configmaps/secrets/s,false",
        "/registry/,/registry/secrets/,/registry/secrets/ns/s,true",
        "/registry/,/registry/sec,/registry/secrets/ns/s,true",
        "/registry/,/registry/pods/,/registry/pods/secrets/p,false",
        "/registry/,/,/registry/secrets/ns/s,true",
        "/registry/,/,/secrets/ns/s,true",
        "/registry/,'',secrets/ns/s,true",
        "/registry/,'',/secrets/ns/s,true",
        "/registry/,/,/kubernetes.io/secrets/ns/s,false",
        "'/registry/,/kubernetes.io',/,/kubernetes.io/secrets/ns/s,true",
        "'/registry/,/kubernetes.io',/,/registry/secrets/ns/s,true",
        "/registry/,/tenant,/tenant/secrets/ns/s,true",
        "/registry/,/tenant/,/registry/secrets/ns/s,true"
    })
    void recognizesKeysBelowARootOrThePrefix(
            String roots, String prefix, String key, boolean secret) {
        SecretKeys keys =
                SecretKeys.of(KubernetesRoots.of(List.of(roots.split(","))), Bytes.utf8(prefix));
        assertThat(keys.contains(Bytes.utf8(key))).isEqualTo(secret);
    }

    @Test
    void findsTheLongestRootOfAKey() {
        KubernetesRoots roots = KubernetesRoots.of(List.of("/", "/registry", "/registry/"));
        assertThat(roots).hasToString("/registry/,/");
        assertThat(roots.rootOf(Bytes.utf8("/registry/pods/x"))).contains(Bytes.utf8("/registry/"));
        assertThat(roots.rootOf(Bytes.utf8("/pods/x"))).contains(Bytes.utf8("/"));
        assertThat(roots.rootOf(Bytes.utf8("pods"))).isEmpty();
    }

    @Test
    void refusesAnEmptyRoot() {
        assertThatThrownBy(() -> KubernetesRoots.of(List.of("/registry/", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty");
    }
}
