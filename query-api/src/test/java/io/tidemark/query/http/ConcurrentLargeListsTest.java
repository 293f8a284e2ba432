package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process with a heap of 256 MB gets 200 concurrent requests for lists of 50 MB. */
class ConcurrentLargeListsTest {
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

    private static Socket ask(URI url) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 << 10);
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(
                        ("GET /api/v1/namespaces/a/pods?resourceVersion=0 HTTP/1.1\r\n"
                                        + "Host: localhost\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    @Test
    void servesOrRefusesAllAndSurvives() throws Exception {
        Process process = start();
        List<Socket> sockets = new ArrayList<>();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            while (line != null && !line.startsWith("http")) {
                line = out.readLine();
            }
            URI url = URI.create(String.valueOf(line));
            for (int i = 0; i < LISTS; i++) {
                sockets.add(ask(url));
            }
            List<Socket> answered = new ArrayList<>();
            int refused = 0;
            for (Socket each : sockets) {
                String head =
                        new String(each.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                if (head.equals("HTTP/1.1 200")) {
                    answered.add(each);
                } else {
                    assertThat(head).isEqualTo("HTTP/1.1 429");
                    assertThat(
                                    new String(
                                            each.getInputStream().readAllBytes(),
                                            StandardCharsets.US_ASCII))
                            .contains("Retry-After: 1")
                            .contains("\"reason\":\"TooManyRequests\"");
                    refused++;
                }
            }
            assertThat(answered).hasSizeGreaterThan(READ_TO_THE_END);
            assertThat(refused).isPositive();
            for (Socket each : answered.subList(0, READ_TO_THE_END)) {
                assertThat(rest(each)).isGreaterThan((long) PODS * NOTE.length());
            }
            assertThat(process.isAlive()).isTrue();
            for (Socket each : sockets) {
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

    /** Number of bytes until the proper end of a chunked body. */
    private static long rest(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[1 << 16];
        StringBuilder tail = new StringBuilder();
        long bytes = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            bytes += n;
            int from = Math.max(0, n - 16);
            tail.append(new String(buffer, from, n - from, StandardCharsets.ISO_8859_1));
            tail.delete(0, Math.max(0, tail.length() - 16));
        }
        assertThat(tail.toString()).endsWith("\r\n0\r\n\r\n");
        return bytes;
    }
}
