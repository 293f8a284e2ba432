package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization.Mirrored;
import io.tidemark.query.audit.AuditPolicyReader;
import io.tidemark.query.audit.AuditSettings;
import io.tidemark.query.testing.AuditEvents;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy for one resource finds each read of it, by whichever path. */
class AuditedReadsHttpTest {
    private static final List<String> OF_SECRETS =
            List.of(
                    "/api/v1/secrets?n=1",
                    "/kv/registry/secrets/blue/mine?n=2",
                    "/kv/registry/secrets/blue/?n=3",
                    "/kv/registry/?n=4",
                    "/changes?resource=pods,secrets&n=5",
                    "/changes?n=6",
                    "/at/100/kv/registry/secrets/?n=7");

    private static final List<String> OF_OTHERS =
            List.of(
                    "/api/v1/pods?n=1",
                    "/kv/registry/pods/blue/mine?n=2",
                    "/kv/registry/pods/?n=3",
                    "/changes?resource=pods&n=4",
                    "/version?n=5",
                    "/changes?resource=secrets&compare=true&order=none&n=6");

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsOfSecretsAreRecorded(boolean open) throws Exception {
        AuditEvents events = new AuditEvents(folder.resolve("audit.log"));
        Path policy = folder.resolve("policy.yaml");
        Files.writeString(
                policy,
                """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                rules:
                - {level: Metadata, resources: [{group: "", resources: [secrets]}]}
                - {level: None, nonResourceURLs: ["*"]}
                """);
        AuditSettings audit = events.settings(AuditPolicyReader.read(policy));
        AccessSettings access =
                open
                        ? AccessSettings.OPEN
                        : new AccessSettings(
                                Optional.of(new FakeCallers().with("root", "system:masters")),
                                new Mirrored(Duration.ofMinutes(5)));
        List<String> asked = new ArrayList<>(OF_OTHERS);
        asked.addAll(OF_SECRETS);
        try (QueryNodeFixture node =
                new QueryNodeFixture(
                        new MirroredCluster(4, 100),
                        config -> config.withAccess(access).withAudit(audit))) {
            for (String path : asked) {
                node.client.get(path, "Authorization", "Bearer root");
            }
        }
        assertThat(events.of("ResponseComplete", ""))
                .extracting(event -> event.path("requestURI").asText())
                .containsExactlyElementsOf(OF_SECRETS);
    }
}
