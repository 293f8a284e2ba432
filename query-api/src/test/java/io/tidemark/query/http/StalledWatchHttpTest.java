package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Live watches whose client stops reading in the middle of an event. */
class StalledWatchHttpTest {
    private static final long FIRST = 100;
    private static final String PATH = "/api/v1/pods?watch=1&resourceVersion=" + FIRST;

    /** More than the buffers of two sockets hold. */
    private static final int EVENTS = 100;

    private static final String NOTE = "n".repeat(200_000);

    private final MirroredCluster cluster = new MirroredCluster(1, FIRST);

    private static RawHttp stalled(String url, String path) throws IOException {
        RawHttp client =
                RawHttp.connect(
                        url,
                        RawHttp.Options.DEFAULT
                                .withReceiveBuffer(4096)
                                .withSilence(Duration.ofMinutes(1)));
        client.get(path);
        return client;
    }

    private void write(Watch reader, int from, int count) throws IOException {
        for (int i = from; i < from + count; i++) {
            String name = "p" + i;
            long revision =
                    cluster.put(
                            "/registry/pods/a/" + name,
                            at -> Json.pod("a", name, at, Map.of(), "", NOTE));
            assertThat(Watch.shown(reader.next())).isEqualTo("ADDED " + name + "@" + revision);
        }
    }

    private static void awaitWatches(QueryNodeFixture fixture, int watches) {
        await().until(() ->
                fixture.client
                        .get("/metrics")
                        .text()
                        .contains("\napiserver_registered_watchers %d.0\n".formatted(watches)));
    }

    @Test
    void leavesNothingBehindWhenItsSocketCloses() throws Exception {
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster);
                Watch reader = fixture.client.watch(PATH)) {
            RawHttp stalled = stalled(fixture.url, PATH);
            awaitWatches(fixture, 2);
            write(reader, 0, EVENTS);
            stalled.close();
            awaitWatches(fixture, 1);
            write(reader, EVENTS, 1);
        }
    }

    @Test
    void isDisconnectedWhenItReadsNothing() throws Exception {
        Duration stalledClient = Duration.ofSeconds(2);
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster,
                                c -> c.withTimes(c.times().withStalledClient(stalledClient)));
                Watch reader = fixture.client.watch(PATH);
                RawHttp _ = stalled(fixture.url, PATH)) {
            awaitWatches(fixture, 2);
            write(reader, 0, EVENTS);
            awaitWatches(fixture, 1);
        }
    }

    /** What it sends is no sign that it reads. */
    @Test
    void aSocketThatSendsButReadsNothingIsDisconnected() throws Exception {
        Duration stalledClient = Duration.ofSeconds(2);
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster,
                                c -> c.withTimes(c.times().withStalledClient(stalledClient)));
                Watch reader = fixture.client.watch(PATH);
                RawSocket stalled = RawSocket.open(fixture.url, PATH, RawSocket.handshake())) {
            awaitWatches(fixture, 2);
            write(reader, 0, EVENTS);
            await().until(() -> !sends(stalled));
            awaitWatches(fixture, 1);
        }
    }

    private static boolean sends(RawSocket socket) {
        try {
            socket.send(RawSocket.PONG, "");
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void goesOnWhenItReadsAgain() throws Exception {
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster);
                Watch reader = fixture.client.watch(PATH);
                RawHttp stalled = stalled(fixture.url, PATH)) {
            awaitWatches(fixture, 2);
            write(reader, 0, EVENTS);
            BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    stalled.response().body(), StandardCharsets.ISO_8859_1));
            for (int i = 0; i < EVENTS; i++) {
                assertThat(lines.readLine()).contains("\"name\":\"p" + i + "\"");
            }
            write(reader, EVENTS, 1);
            assertThat(lines.readLine()).contains("\"name\":\"p" + EVENTS + "\"");
        }
    }

    /** Without chunks, and without a body. */
    @ParameterizedTest
    @ValueSource(strings = {"GET %s HTTP/1.0", "HEAD %s HTTP/1.1"})
    void servesResponsesWithoutChunks(String line) throws Exception {
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster);
                Watch reader = fixture.client.watch(PATH)) {
            write(reader, 0, 2);
            String answer =
                    RawHttp.exchange(
                            fixture.url,
                            line.formatted(PATH + "&timeoutSeconds=1")
                                    + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            if (line.startsWith("HEAD")) {
                assertThat(body).isEmpty();
            } else {
                assertThat(body.lines()).hasSize(2).allMatch(event -> event.startsWith("{"));
            }
        }
    }
}
