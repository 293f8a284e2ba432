package io.tidemark.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.LostInsideRevision;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The only replica is lost after the first part of a revision has been sent. */
class LargeRevisionHttpTest {
    private static final String STREAM = "/changes?watch=1&resource=pods&from=101&timeoutSeconds=";
    private static final String POLL =
            "/api/v1/pods?watch=true&longPoll=true&resourceVersion=101&timeoutSeconds=1";

    /** Also of one read, so that the stream's time ends between two of them. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final LostInsideRevision partition = new LostInsideRevision();

    private QueryNode start(Duration freshness) {
        QueryConfig config = QueryConfig.listeningOn("127.0.0.1", 0);
        QueryNode node =
                new QueryNode(
                        config.withTimes(config.times().withFreshness(freshness)),
                        partition,
                        partition,
                        () -> FixedCatalog.of(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX)));
        node.start();
        return node;
    }

    @Test
    void aStreamOfChangesDoesNotEndInsideARevisionAfterItsTime() throws Exception {
        try (QueryNode node = start(SHORT);
                HttpClientForTests client = new HttpClientForTests(node.url());
                Watch watch = client.watch(STREAM + 1)) {
            assertThat(name(watch.next())).isEqualTo("p0");
            assertThat(partition.awaitLost()).isTrue();
            Thread.sleep(SHORT.multipliedBy(3));
            partition.returnReplica();
            assertThat(name(watch.next())).isEqualTo("p1");
            assertThat(watch.next().isMissingNode()).isTrue();
        }
    }

    @Test
    void aStreamOfChangesSaysWhenANodeStopsInsideARevision() throws Exception {
        QueryNode node = start(SHORT);
        try (HttpClientForTests client = new HttpClientForTests(node.url());
                Watch watch = client.watch(STREAM + 60)) {
            assertThat(name(watch.next())).isEqualTo("p0");
            assertThat(partition.awaitLost()).isTrue();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::close);
            JsonNode error = watch.next();
            assertThat(error.path("code").asInt()).as(error.toString()).isEqualTo(410);
            assertThat(error.at("/details/causes/0/reason").asText())
                    .isEqualTo("RevisionIncomplete");
            assertThat(error.path("message").asText())
                    .contains("inside revision " + LostInsideRevision.REVISION);
            stopped.get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    void aStreamOfChangesEndsWithItsClientInsideARevision() throws Exception {
        try (QueryNode node = start(SHORT);
                HttpClientForTests client = new HttpClientForTests(node.url())) {
            leave(node, STREAM + 1);
            awaitWatches(client, 0);
        }
    }

    @Test
    void aLongPollFailsWhenTheRestOfARevisionDoesNotCome() throws Exception {
        try (QueryNode node = start(SHORT);
                HttpClientForTests client = new HttpClientForTests(node.url())) {
            Answer late = client.get(POLL);
            assertThat(late.status()).as(late.text()).isEqualTo(504);
            assertThat(late.text()).doesNotContain("p0");
            awaitWatches(client, 0);
        }
    }

    @Test
    void aLongPollGetsTheRestOfARevision() throws Exception {
        try (QueryNode node = start(Duration.ofMinutes(1));
                HttpClientForTests client = new HttpClientForTests(node.url())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            partition.awaitLost();
                            partition.returnReplica();
                        } catch (InterruptedException _) {
                            Thread.currentThread().interrupt();
                        }
                    });
            Answer answer = client.get(POLL);
            assertThat(answer.resourceVersion()).isEqualTo("102");
            assertThat(answer.json().path("events")).hasSize(2);
        }
    }

    @Test
    void aLongPollEndsWithItsClientInsideARevision() throws Exception {
        try (QueryNode node = start(Duration.ofSeconds(2));
                HttpClientForTests client = new HttpClientForTests(node.url())) {
            leave(node, POLL);
            awaitWatches(client, 0);
            await().until(() -> client.get("/metrics").text().contains("code=\"499\""));
        }
    }

    /** Sends a request and disconnects inside the revision. */
    private void leave(QueryNode node, String path) throws Exception {
        try (RawHttp connection = RawHttp.connect(node.url())) {
            connection.get(path);
            assertThat(partition.awaitLost()).isTrue();
        }
    }

    private static void awaitWatches(HttpClientForTests client, int watches) {
        await().until(() ->
                client.get("/metrics")
                        .text()
                        .contains("\napiserver_registered_watchers %d.0\n".formatted(watches)));
    }

    private static String name(JsonNode change) {
        return change.at("/object/name").asText();
    }
}
