package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.etcd.connection.EtcdOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectorScopeTest {
    private static final ConnectorConfig CONFIG =
            ConnectorConfig.of(EtcdOptions.of("http://127.0.0.1:1"), "127.0.0.1:1");

    /** Mirrors that are older than the rules must not relist. */
    @Test
    void withoutRulesTheScopeIsTheOneOfOlderMirrors() {
        assertThat(CONFIG.scope())
                .isEqualTo("/registry/ without Secrets, Kubernetes below /registry/")
                .isEqualTo(CONFIG.withRedaction(RedactionRules.NONE).scope());
    }

    @Test
    void otherRulesAreAnotherScope() {
        assertThat(scope("configmaps=.data.a,.data.b"))
                .isEqualTo(CONFIG.scope() + ", redacted configmaps=.data.a,.data.b")
                .isEqualTo(scope("configmaps=.data.b,.data['a']"))
                .isNotEqualTo(scope("configmaps=.data.a"))
                .isNotEqualTo(CONFIG.scope());
    }

    private static String scope(String rules) {
        return CONFIG.withRedaction(RedactionRules.parse(List.of(rules))).scope();
    }
}
