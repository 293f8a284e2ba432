package io.tidemark.http.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawHttpTest {
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private ServerSocket server;
    private RawHttp client;
    private Socket peer;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        client = RawHttp.connect("http://127.0.0.1:" + server.getLocalPort());
        peer = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        peer.close();
        server.close();
    }

    private void respond(String text) throws IOException {
        peer.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void readsBodiesByLengthInChunksAndToTheEnd() throws Exception {
        respond("HTTP/1.1 100 Continue\r\n\r\n");
        respond("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: 1\r\na: 2\r\n\r\none");
        respond(CHUNKED + "2\r\ntw\r\n1\r\no\r\n0\r\n\r\n");
        respond("HTTP/1.1 404 Not Found\r\n\r\nthree");
        peer.shutdownOutput();

        RawResponse first = client.response();
        assertThat(first.header("a")).isEqualTo("1, 2");
        assertThat(first.text()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\none");
        assertThat(client.response().body()).hasContent("two");
        RawResponse last = client.response();
        assertThat(last.status()).isEqualTo(404);
        assertThat(last.body()).hasContent("three");
        assertThat(client.nextResponse(false)).isEmpty();
        assertThat(client.isClosedByServer()).isTrue();
    }

    @Test
    void returnsAChunkBeforeItsLineEndArrives() throws Exception {
        respond(CHUNKED + "3\r\none");
        assertThat(client.response().body().readNBytes(3)).asString().isEqualTo("one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\none",
                CHUNKED,
                CHUNKED + "4\r\none",
                CHUNKED + "3\r\none\r\n",
                CHUNKED + "3\r\none\r\n0\r\n"
            })
    void failsWhenTheConnectionEndsBeforeTheBody(String truncated) throws Exception {
        respond(truncated);
        peer.shutdownOutput();
        RawResponse response = client.response();
        assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\n\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                CHUNKED + "x\r\n",
                CHUNKED + "1\r\nab\r\n"
            })
    void refusesInvalidHttp(String invalid) throws Exception {
        respond(invalid);
        peer.shutdownOutput();
        assertThatThrownBy(() -> client.response().text())
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(EOFException.class);
    }

    @Test
    void limitsTheTimeOfATricklingResponse() throws Exception {
        client.within(Duration.ofMillis(300));
        Thread trickle =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                while (!Thread.interrupted()) {
                                    respond("x");
                                    Thread.sleep(20);
                                }
                            } catch (IOException | InterruptedException _) {
                                // The test is over.
                            }
                        });
        assertThatThrownBy(() -> client.response()).isInstanceOf(SocketTimeoutException.class);
        trickle.interrupt();
        trickle.join();
    }
}
