package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.watch.WatchLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Watches over real sockets whose clients read slowly or not at all; {@code
 * -Dtidemark.stalled=1000} sets their number. Prints the latency of a live watch.
 */
class SlowWatchersHttpTest {
    private static final int STALLED = Integer.getInteger("tidemark.stalled", 60);
    private static final long FIRST = 100;

    /** More than the buffers of two sockets hold: 8 MB for each watch. */
    private static final int EVENTS = 1_600;

    private static final String NOTE = "n".repeat(5_000);
    private static final long WINDOW = 512 << 10;
    private static final WatchLimits SMALL =
            new WatchLimits(20_000, 400, WINDOW, 50, 256 << 10, new PageLimits(64, 64 << 10));
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    private final MirroredCluster cluster = new MirroredCluster(2, FIRST);

    /** A client that reads on demand. */
    private static final class Reluctant implements AutoCloseable {
        private final RawHttp connection;
        private final BufferedReader in;
        private long last = FIRST;

        Reluctant(String url) throws IOException {
            connection =
                    RawHttp.connect(
                            url,
                            RawHttp.Options.DEFAULT
                                    .withReceiveBuffer(4096)
                                    .withSilence(Duration.ofMinutes(1)));
            connection.get("/api/v1/pods?watch=1&resourceVersion=" + FIRST);
            in =
                    new BufferedReader(
                            new InputStreamReader(
                                    connection.response().body(), StandardCharsets.ISO_8859_1),
                            1024);
        }

        /** Reads a number of events and checks that each follows the previous one. */
        void read(int events) throws IOException {
            for (int i = 0; i < events; i++) {
                String line = in.readLine();
                assertThat(line).as("after %d", last).isNotNull();
                Matcher revision = REVISION.matcher(line);
                assertThat(revision.find()).isTrue();
                assertThat(Long.parseLong(revision.group(1))).isEqualTo(last + 1);
                last++;
            }
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    @Test
    void losesNoEventsOfSlowWatchesAndDelaysNoOther() throws Exception {
        List<Reluctant> stalled = new ArrayList<>();
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster,
                                c ->
                                        c.withLimits(
                                                c.limits()
                                                        .withWatch(SMALL)
                                                        .withWatchesPerClient(20_000)));
                Watch fast =
                        fixture.client.watch("/api/v1/pods?watch=1&resourceVersion=" + FIRST)) {
            print("alone", follow(fast, 0, 200));
            try (Reluctant trickle = new Reluctant(fixture.url)) {
                for (int i = 0; i < STALLED; i++) {
                    stalled.add(new Reluctant(fixture.url));
                }
                await().until(() -> metric(fixture, "apiserver_registered_watchers") >= STALLED);
                long[] latencies = new long[EVENTS - 200];
                for (int i = 0; i < latencies.length; i += 20) {
                    System.arraycopy(follow(fast, 200 + i, 20), 0, latencies, i, 20);
                    trickle.read(1);
                    assertThat(metric(fixture, "tidemark_lagging_watchers_bytes"))
                            .isLessThan(2 * WINDOW + (STALLED + 2) * 2 * 2048);
                }
                print("beside " + STALLED + " stalled ones", latencies);
                trickle.read(EVENTS - latencies.length / 20);
                for (Reluctant each : stalled.subList(0, 10)) {
                    each.read(EVENTS);
                }
            }
            for (Reluctant each : stalled) {
                each.close();
            }
        }
    }

    /** Makes events and measures the nanoseconds until each arrives. */
    private long[] follow(Watch fast, int from, int count) throws IOException {
        long[] latencies = new long[count];
        for (int i = 0; i < count; i++) {
            String name = "p" + (from + i);
            long began = System.nanoTime();
            long revision =
                    cluster.put(
                            "/registry/pods/a/" + name,
                            at -> Json.pod("a", name, at, Map.of(), "", NOTE));
            JsonNode event = fast.next();
            latencies[i] = System.nanoTime() - began;
            assertThat(Watch.shown(event)).isEqualTo("ADDED " + name + "@" + revision);
        }
        return latencies;
    }

    private static double metric(QueryNodeFixture fixture, String name) throws Exception {
        return fixture.client
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static void print(String what, long[] latencies) {
        long[] sorted = latencies.clone();
        Arrays.sort(sorted);
        System.out.printf(
                "a fast watch %s: %d events, p50 %.2f ms, p99 %.2f ms%n",
                what,
                sorted.length,
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6);
    }
}
