package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.MirroredCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LongPollHttpTest {
    private static final String POLL = "/api/v1/pods?watch=true&longPoll=true&resourceVersion=";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("a", "one", Map.of()); // 101
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    @Test
    void answersAtOnceWithWhatHappenedAlready() throws Exception {
        Answer answer = fixture.client.get(POLL + "100");
        assertThat(answer.text())
                .startsWith(
                        "{\"kind\":\"WatchEventList\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"101\"},\"events\":[{\"type\":\"ADDED\","
                                + "\"object\":{\"kind\":\"Pod\"")
                .endsWith("}]}\n");
    }

    @Test
    void waitsForTheNextChange() throws Exception {
        CompletableFuture<Answer> answer =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return fixture.client.get(POLL + "101&timeoutSeconds=20");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        cluster.txn(
                List.of(
                        MirroredCluster.podOp("x", "two", Map.of(), ""),
                        MirroredCluster.podOp("y", "three", Map.of(), "")));
        Answer answered = answer.get();
        assertThat(answered.resourceVersion()).isEqualTo("102");
        assertThat(answered.json().path("events")).hasSize(2);
    }

    @Test
    void saysWhereToGoOnWhenNothingHappened() throws Exception {
        cluster.elsewhere(7);
        Answer answer = fixture.client.get(POLL + "101&timeoutSeconds=-1");
        assertThat(answer.json().path("events")).isEmpty();
        assertThat(answer.resourceVersion()).isIn("101", "108");
        assertThat(fixture.client.get(POLL + "5000&timeoutSeconds=1").resourceVersion())
                .isEqualTo("5000");
    }

    @Test
    void isRefusedBelowTheFloor() throws Exception {
        Answer answer = fixture.client.get(POLL + "7");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.message()).isEqualTo("too old resource version: 7 (100)");
    }
}
