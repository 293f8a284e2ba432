package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartupGateHttpTest {
    private static final String PODS = "/api/v1/pods";

    private static QueryNodeFixture node(
            MirroredCluster cluster, Duration startupHold, Duration freshness) {
        return new QueryNodeFixture(
                cluster,
                c -> c.withTimes(c.times().withStartupHold(startupHold).withFreshness(freshness)));
    }

    private static CompletableFuture<Answer> ask(QueryNodeFixture node, String path) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        answer.complete(node.client.get(path));
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                });
        return answer;
    }

    @Test
    void holdsEarlyRequestsUntilTheNodeIsReady() throws Exception {
        MirroredCluster cluster = MirroredCluster.notListedYet(4);
        try (QueryNodeFixture node = node(cluster, Duration.ofMinutes(1), Duration.ofMinutes(1))) {
            CompletableFuture<Answer> list = ask(node, PODS);
            CompletableFuture<Answer> ready = ask(node, "/readyz");
            assertThat(ready.get(3, TimeUnit.MINUTES).status()).isEqualTo(503);
            assertThat(list).isNotDone();
            cluster.relist(false);
            assertThat(list.get(3, TimeUnit.MINUTES).status()).isEqualTo(200);
        }
    }

    @Test
    void refusesARequestAfterTheLongestHold() throws Exception {
        MirroredCluster cluster = MirroredCluster.notListedYet(4);
        try (QueryNodeFixture node = node(cluster, Duration.ofMillis(50), Duration.ofMillis(50))) {
            Answer list = node.client.get(PODS);
            assertThat(list.status()).isEqualTo(503);
            assertThat(list.header("Retry-After")).isEqualTo("1");
        }
    }
}
