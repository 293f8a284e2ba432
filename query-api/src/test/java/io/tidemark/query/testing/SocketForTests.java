package io.tidemark.query.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** A watch over a WebSocket. It reads a frame only on demand. */
public final class SocketForTests implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long SECONDS = 180;

    private final LinkedBlockingQueue<String> frames = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final CompletableFuture<String> pong = new CompletableFuture<>();
    private final HttpClient client;
    private final WebSocket socket;

    /**
     * @param url of the server, as HTTP
     * @throws WebSocketHandshakeException when the upgrade is refused
     */
    public SocketForTests(String url, String path, List<String> protocols, String... headers)
            throws WebSocketHandshakeException {
        this(HttpClient.newHttpClient(), url, path, protocols, headers);
    }

    /** The same over TLS. */
    public SocketForTests(
            SSLContext tls, String url, String path, List<String> protocols, String... headers)
            throws WebSocketHandshakeException {
        this(HttpClient.newBuilder().sslContext(tls).build(), url, path, protocols, headers);
    }

    private SocketForTests(
            HttpClient client, String url, String path, List<String> protocols, String... headers)
            throws WebSocketHandshakeException {
        this.client = client;
        WebSocket.Builder builder = client.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        if (!protocols.isEmpty()) {
            String[] others = protocols.subList(1, protocols.size()).toArray(String[]::new);
            builder.subprotocols(protocols.getFirst(), others);
        }
        URI uri = URI.create(url.replaceFirst("^http", "ws") + path);
        try {
            socket = builder.buildAsync(uri, new Receiver()).join();
        } catch (CompletionException e) {
            client.shutdownNow();
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                throw refused;
            }
            throw e;
        }
    }

    public String protocol() {
        return socket.getSubprotocol();
    }

    /** The next frame's text; empty when the server has closed. */
    public String frame() throws Exception {
        socket.request(1);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - until < 0) {
            String frame = frames.poll(20, TimeUnit.MILLISECONDS);
            if (frame != null) {
                return frame;
            }
            if (closed.isDone() && frames.isEmpty()) {
                return "";
            }
        }
        throw new AssertionError("no frame in " + SECONDS + " s");
    }

    /** The next event; missing at the end. */
    public JsonNode next() throws Exception {
        String frame = frame();
        return frame.isEmpty() ? MissingNode.getInstance() : JSON.readTree(frame);
    }

    /** The next events, as {@link Watch#shown} has them. */
    public List<String> next(int count) throws Exception {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            shown.add(Watch.shown(next()));
        }
        return shown;
    }

    /** All events until the server closes. */
    public List<String> rest() throws Exception {
        List<String> shown = new ArrayList<>();
        for (JsonNode event = next(); !event.isMissingNode(); event = next()) {
            shown.add(Watch.shown(event));
        }
        return shown;
    }

    /** The server's close code. */
    public int closedWith() throws Exception {
        return closed.get(SECONDS, TimeUnit.SECONDS);
    }

    /** The server's answer to a ping. */
    public String ping(String text) throws Exception {
        socket.sendPing(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                .get(SECONDS, TimeUnit.SECONDS);
        socket.request(1);
        return pong.get(SECONDS, TimeUnit.SECONDS);
    }

    /** Sends an unexpected message. */
    public void say(String text) throws Exception {
        socket.sendText(text, true).get(SECONDS, TimeUnit.SECONDS);
    }

    /** Sends a close frame. */
    public void bye() throws Exception {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(SECONDS, TimeUnit.SECONDS);
        socket.request(1);
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void onOpen(WebSocket opened) {
            // Nothing is requested yet.
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                frames.add(text.toString());
                text.setLength(0);
            } else {
                from.request(1);
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            pong.complete(new String(bytes, StandardCharsets.UTF_8));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closed.complete(code);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            closed.completeExceptionally(new IOException(error));
        }
    }
}
