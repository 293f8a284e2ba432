package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process with a heap of 256 MB gets 200 concurrent requests for lists of 50 MB. */
class ConcurrentLargeListsHttpTest {
    private static final int LISTS = 200;
    private static final int READ_TO_THE_END = 4;
    private static final int PODS = 100;
    private static final String NOTE = "n".repeat(500_000);

    /** The process: prints its address as its only line; ends when its input ends. */
    static final class Server {
        private Server() {}

        public static void main(String[] args) throws Exception {
            MirroredCluster cluster = new MirroredCluster(2, 100);
            for (int i = 0; i < PODS; i++) {
                String name = "p%03d".formatted(i);
                cluster.put(
                        "/registry/pods/a/" + name,
                        at -> Json.pod("a", name, at, Map.of(), "", NOTE));
            }
            try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
                System.out.println(fixture.url);
                while (System.in.read() >= 0) {
                    // Until the test is over.
                }
            }
        }
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static RawHttp ask(String url) throws IOException {
        RawHttp connection =
                RawHttp.connect(
                        url,
                        RawHttp.Options.DEFAULT
                                .withReceiveBuffer(16 << 10)
                                .withSilence(Duration.ofMinutes(1)));
        connection.get("/api/v1/namespaces/a/pods?resourceVersion=0", "Connection: close");
        return connection;
    }

    @Test
    void servesOrRefusesAllAndSurvives() throws Exception {
        Process process = start();
        List<RawHttp> connections = new ArrayList<>();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            while (line != null && !line.startsWith("http")) {
                line = out.readLine();
            }
            String url = String.valueOf(line);
            for (int i = 0; i < LISTS; i++) {
                connections.add(ask(url));
            }
            List<RawResponse> answered = new ArrayList<>();
            int refused = 0;
            for (RawHttp each : connections) {
                RawResponse response = each.response();
                if (response.status() == 200) {
                    answered.add(response);
                } else {
                    assertThat(response.status()).isEqualTo(429);
                    assertThat(response.text())
                            .contains("Retry-After: 1")
                            .contains("\"reason\":\"TooManyRequests\"");
                    refused++;
                }
            }
            assertThat(answered).hasSizeGreaterThan(READ_TO_THE_END);
            assertThat(refused).isPositive();
            for (RawResponse each : answered.subList(0, READ_TO_THE_END)) {
                assertThat(each.body().transferTo(OutputStream.nullOutputStream()))
                        .isGreaterThan((long) PODS * NOTE.length());
            }
            assertThat(process.isAlive()).isTrue();
            for (RawHttp each : connections) {
                each.close();
            }
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }
}
