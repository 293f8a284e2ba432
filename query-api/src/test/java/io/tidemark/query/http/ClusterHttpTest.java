package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.MirroredCluster;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the whole stands, asked over HTTP. */
class ClusterHttpTest {
    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    @Test
    void theWholeIsOneDocument() throws Exception {
        Answer answer = fixture.client.get("/cluster");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.json().path("partitions")).hasSize(2);
        assertThat(answer.json().at("/nodes/0/url").asText()).isEqualTo(fixture.url);
        assertThat(answer.json().path("connector").isNull()).isTrue();
        Answer head = fixture.client.send("HEAD", "/cluster");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void itCanOnlyBeRead(String method) throws Exception {
        Answer answer = fixture.client.send(method, "/cluster");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.json().path("kind").asText()).isEqualTo("Status");
        assertThat(answer.json().path("reason").asText()).isEqualTo("MethodNotAllowed");
    }
}
