package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.credentials.TlsIdentity;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint.SslSessionData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
    @TempDir private Path folder;

    private final CountDownLatch slow = new CountDownLatch(1);
    private final AtomicInteger inFlight = new AtomicInteger();
    private TestCertificates certificates;
    private @Nullable HttpServer server;

    @BeforeEach
    void makeCertificates() throws IOException {
        certificates = new TestCertificates(folder);
    }

    @AfterEach
    void stop() {
        slow.countDown();
        if (server != null) {
            server.close();
        }
    }

    private void start(ConnectionLimits limits, Duration stalledClient) throws IOException {
        HttpServerSettings settings =
                new HttpServerSettings("127.0.0.1", 0, 32 << 10, stalledClient)
                        .withConnections(limits)
                        .withTls(certificates.server());
        server =
                new HttpServer(
                        settings,
                        ErrorBody.TEXT,
                        config -> {
                            config.routes.get(
                                    "/who", context -> context.result(clientOf(context.req())));
                            config.routes.get(
                                    "/slow",
                                    context -> {
                                        inFlight.incrementAndGet();
                                        slow.await();
                                        context.result("slow");
                                    });
                        });
        server.start();
    }

    private void start() throws IOException {
        start(ConnectionLimits.INTERNAL, Duration.ofMinutes(1));
    }

    private static String clientOf(jakarta.servlet.http.HttpServletRequest request) {
        SslSessionData session =
                (SslSessionData)
                        ServletContextRequest.getServletContextRequest(request)
                                .getAttribute(SslSessionData.ATTRIBUTE);
        X509Certificate[] chain = session.peerCertificates();
        return chain == null || chain.length == 0
                ? "anonymous"
                : chain[0].getSubjectX500Principal().getName();
    }

    private static HttpClient client(SSLContext context, Version version) {
        return HttpClient.newBuilder().sslContext(context).version(version).build();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:%d%s".formatted(server.port(), path)))
                .build();
    }

    private HttpResponse<String> get(HttpClient client, String path) throws Exception {
        return client.send(request(path), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void answersInTheProtocolThatTheClientPrefers(Version version) throws Exception {
        start();
        try (HttpClient client = client(certificates.anonymous(), version)) {
            HttpResponse<String> answer = get(client, "/who");
            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.body()).isEqualTo("anonymous");
            assertThat(get(client, "/none").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void showsTheCertificateOfItsClient(Version version) throws Exception {
        start();
        SSLContext jane = certificates.contextOf(certificates.client("CN=jane,O=developers"));
        try (HttpClient client = client(jane, version)) {
            assertThat(get(client, "/who").body()).isEqualTo("CN=jane,O=developers");
        }
    }

    @Test
    void refusesTheCertificateOfAnotherAuthority() throws Exception {
        start();
        Path other = Files.createDirectory(folder.resolve("other"));
        TlsIdentity foreign = new TestCertificates(other).client("CN=jane");
        try (HttpClient client = client(certificates.contextOf(foreign), Version.HTTP_1_1)) {
            assertThatThrownBy(() -> get(client, "/who")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void usesChangedCertificatesForNewConnections() throws Exception {
        start();
        try (HttpClient before = client(certificates.anonymous(), Version.HTTP_1_1)) {
            CompletableFuture<HttpResponse<String>> open =
                    before.sendAsync(request("/slow"), BodyHandlers.ofString());
            await().until(() -> inFlight.get() == 1);
            TlsIdentity renewed = certificates.writeServer("CN=renewed");

            await().until(() -> presented().equals(Optional.of(renewed.certificate())));
            slow.countDown();
            assertThat(open.get().body()).isEqualTo("slow");
        }
    }

    /** The certificate that a new connection gets. */
    private Optional<X509Certificate> presented() throws IOException {
        try (SSLSocket socket = connect("TLSv1.3")) {
            return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
        }
    }

    private SSLSocket open() throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        certificates
                                .anonymous()
                                .getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private SSLSocket connect(String protocol) throws IOException {
        SSLSocket socket = open();
        socket.setEnabledProtocols(new String[] {protocol});
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Java's client names no protocol for HTTP/1.1; others do. */
    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "http/1.1,http/1.0", "h2,http/1.1", "spdy/3,http/1.1"})
    void agreesOnAProtocolOfTheClient(String offered) throws Exception {
        start();
        try (SSLSocket socket = open()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered.split(","));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol())
                    .isEqualTo(offered.startsWith("h2") ? "h2" : "http/1.1");
        }
    }

    @Test
    void speaksNoOldVersionOfTls() throws Exception {
        start();
        connect("TLSv1.2").close();
        assertThatThrownBy(() -> connect("TLSv1.1")).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> connect("TLSv1")).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void disconnectsPlainHttp() throws Exception {
        start();
        String request = "GET /who HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assertThat(RawHttp.exchange("http://127.0.0.1:" + server.port(), request))
                .doesNotContain("HTTP/");
    }

    @Test
    void disconnectsAClientThatDoesNotFinishItsHandshake() throws Exception {
        start(ConnectionLimits.INTERNAL, Duration.ofSeconds(2));
        try (RawHttp slowly = RawHttp.connect("http://127.0.0.1:" + server.port())) {
            byte[] beginOfRecord = {22, 3, 1, 2, 0};
            slowly.send(beginOfRecord);
            // A byte now and then breaks the silence, and ends no handshake.
            await().pollInterval(Duration.ofMillis(200))
                    .ignoreExceptions()
                    .until(() -> {
                        if (server.connections().open() == 0) {
                            return true;
                        }
                        slowly.send(new byte[] {1}); // Fails once the server has closed.
                        return false;
                    });
        }
    }

    @Test
    void refusesOtherHostNames() throws Exception {
        start();
        try (SSLSocket socket = connect("TLSv1.3")) {
            String request = "GET /who HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403 ").contains("evil.example");
        }
    }

    @Test
    void doesNotEvictAConnectionWithARequestInFlight() throws Exception {
        start(ConnectionLimits.of(2, 2), Duration.ofMinutes(1));
        SSLContext context = certificates.anonymous();
        try (HttpClient busy = client(context, Version.HTTP_2);
                HttpClient idle = client(context, Version.HTTP_2);
                HttpClient next = client(context, Version.HTTP_2)) {
            assertThat(get(busy, "/who").version()).isEqualTo(Version.HTTP_2);
            var first = busy.sendAsync(request("/slow"), BodyHandlers.ofString());
            await().until(() -> inFlight.get() == 1);
            // Another stream of the same connection ends; the first still runs.
            assertThat(get(busy, "/who").statusCode()).isEqualTo(200);
            assertThat(get(idle, "/who").statusCode()).isEqualTo(200);

            // The idle connection may be closed for it only some time after its response.
            await().ignoreExceptions().until(() -> get(next, "/who").statusCode() == 200);
            slow.countDown();
            assertThat(first.get().body()).isEqualTo("slow");
        }
    }
}
