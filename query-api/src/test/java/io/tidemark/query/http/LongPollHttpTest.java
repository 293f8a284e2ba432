package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.testing.MirroredCluster.Op;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
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
    void returnsPastEventsAtOnce() throws Exception {
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
    void returnsTheNextRevisionWithoutEvents() throws Exception {
        cluster.elsewhere(7);
        Answer answer = fixture.client.get(POLL + "101&timeoutSeconds=-1");
        assertThat(answer.json().path("events")).isEmpty();
        assertThat(answer.resourceVersion()).isIn("101", "108");
        assertThat(fixture.client.get(POLL + "5000&timeoutSeconds=1").resourceVersion())
                .isEqualTo("5000");
    }

    @Test
    void returnsARevisionLargerThanAPageInOneResponse() throws Exception {
        List<Op> pods =
                IntStream.range(0, 3_000)
                        .mapToObj(i -> MirroredCluster.podOp("n" + i % 9, "p" + i, Map.of(), ""))
                        .toList();
        cluster.txn(pods); // 102
        cluster.txn(pods.stream().map(op -> new Op(op.key(), _ -> (String) null)).toList());
        cluster.pod("a", "two", Map.of());

        Answer one = fixture.client.get(POLL + "100");
        assertThat(one.resourceVersion()).isEqualTo("101");
        assertThat(one.json().path("events")).hasSize(1);
        for (String revision : List.of("102", "103")) {
            int before = Integer.parseInt(revision) - 1;
            Answer all = fixture.client.get(POLL + before);
            assertThat(all.resourceVersion()).isEqualTo(revision);
            assertThat(all.json().path("events")).hasSize(3_000);
        }
        assertThat(fixture.client.get(POLL + "103").json().path("events")).hasSize(1);
    }

    @Test
    void isRefusedBelowTheFloor() throws Exception {
        Answer answer = fixture.client.get(POLL + "7");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.message()).isEqualTo("too old resource version: 7 (100)");
    }
}
