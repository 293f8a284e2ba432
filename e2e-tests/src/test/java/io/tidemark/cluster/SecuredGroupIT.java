package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.harness.Api;
import io.tidemark.harness.Security;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.waits.LongTest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A group with everything that protects it, with and without TLS: who sits between its members, or
 * joins it with Kafka's login alone, learns no credential and no data, and passes nothing off.
 */
@LongTest
class SecuredGroupIT {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int MAPS = 40;
    private static final String ALL = "/api/v1/configmaps";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void impostorsAndEavesdroppersLearnNoCredential(boolean tls) throws Exception {
        Security security = tls ? Security.everywhere() : Security.PLAIN;
        try (SecuredGroup group = new SecuredGroup(folder, security)) {
            group.etcd().putConfigMaps(MAPS, "a-value-of-a-map");
            awaitMaps(group, "a-value-of-a-map");
            theClientPortAsksForALogin(group, tls);
            nothingPassedThatCouldBeUsed(group, tls);
            if (!tls) {
                recordedRequestsAreRefused(group);
            }
            recordedAnswersAreRefused(group);
            aMemberWithoutTheSecretLearnsNothing(group, tls);
            assertThat(group.logs()).doesNotContain(SecuredGroup.TOKEN, SecuredGroup.PEER_SECRET);
        }
    }

    /** Maps in ten namespaces are in partitions of both nodes. */
    private static void awaitMaps(SecuredGroup group, String value) {
        await().ignoreExceptions()
                .until(() -> {
                    Api.Answer answer = group.ask(ALL);
                    return answer.status() == 200
                            && answer.json().path("items").findValuesAsText("value").stream()
                                            .filter(value::equals)
                                            .count()
                                    == MAPS;
                });
    }

    private static void theClientPortAsksForALogin(SecuredGroup group, boolean tls)
            throws Exception {
        assertThat(group.askAnonymously(ALL).status()).isEqualTo(401);
        // The certificate is a login, of a user to whom this policy gives nothing.
        assertThat(group.askWithCertificate(ALL).status()).isEqualTo(tls ? 403 : 401);
        assertThat(group.ask("/api/v1/pods").status()).isEqualTo(403);
    }

    private static void nothingPassedThatCouldBeUsed(SecuredGroup group, boolean tls) {
        String requests = String.join("\n", group.tap().requests());
        String answers = group.tap().answers();
        // What was read at the first node did pass.
        assertThat(answers.contains("a-value-of-a-map")).isEqualTo(!tls);
        assertThat(requests.contains("Tidemark-Proof")).isEqualTo(!tls);
        assertThat(requests + answers)
                .isNotEmpty()
                .doesNotContain(SecuredGroup.PEER_SECRET)
                .doesNotContain(SecuredGroup.TOKEN)
                .doesNotContainIgnoringCase("Bearer")
                .doesNotContainIgnoringCase("Authorization:")
                .doesNotContain("jane");
    }

    private static void recordedRequestsAreRefused(SecuredGroup group) throws Exception {
        List<String> recorded =
                group.tap().requests().stream()
                        .filter(each -> each.contains("Tidemark-Proof"))
                        .toList();
        assertThat(recorded).isNotEmpty();
        for (String each : recorded) {
            String request = each.replaceFirst("(?s)^.*?(?=(GET|POST) /peer/)", "");
            try (RawHttp connection = RawHttp.connect(group.peerUrl())) {
                connection.send(request);
                connection.endOutput();
                assertThat(connection.response().text())
                        .startsWith("HTTP/1.1 401 ")
                        .doesNotContain("a-value-of-a-map");
            }
        }
    }

    /** Old answers of the very node, in place of its new ones. */
    private static void recordedAnswersAreRefused(SecuredGroup group) throws Exception {
        group.tap().replay(true);
        group.etcd().putConfigMaps(MAPS, "a-newer-value");
        int before = group.tap().replayed();
        boolean failed = false;
        long end = System.nanoTime() + LONG.toNanos();
        while ((group.tap().replayed() < before + 5 || !failed) && System.nanoTime() < end) {
            Api.Answer answer = group.ask(ALL);
            failed |= answer.status() != 200;
            assertThat(answer.body()).doesNotContain("a-value-of-a-map");
        }
        assertThat(failed).as("the node behind the tap was needed").isTrue();
        group.tap().replay(false);
        awaitMaps(group, "a-newer-value");
    }

    /** It logs in to Kafka as nodes do, joins their group, and advertises its own listener. */
    private static void aMemberWithoutTheSecretLearnsNothing(SecuredGroup group, boolean tls)
            throws Exception {
        Tap heard = new Tap();
        try (ServerSocket silence = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress target = new InetSocketAddress("127.0.0.1", silence.getLocalPort());
            TcpProxy listener = group.open(new TcpProxy(target, heard));
            Process impostor = group.startImpostor("127.0.0.1:" + listener.port());
            await().until(() -> {
                group.ask(ALL);
                return heard.requests().size() > 2;
            });
            for (String each : heard.requests()) {
                if (!tls && !each.isEmpty()) {
                    assertThat(each).startsWith("POST /node-auth/v1/hello ");
                }
                assertThat(each)
                        .doesNotContain("Tidemark-Proof")
                        .doesNotContain(SecuredGroup.PEER_SECRET)
                        .doesNotContain(SecuredGroup.TOKEN)
                        .doesNotContainIgnoringCase("Authorization:");
            }
            assertThat(impostor.isAlive()).isTrue();
            impostor.destroyForcibly().waitFor();
        }
        awaitMaps(group, "a-newer-value");
    }
}
