package io.tidemark.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests to one other node, each bounded in time and size. */
final class PeerTransport {
    /** Another copy is asked after this: so it is also how long a stopped process is felt. */
    static final Duration ANSWER = Duration.ofMillis(2_500);

    private final HttpClient http;
    private final PeerAddress address;
    private final PeerSecret secret;

    /** By which the other node knows who asks and who follows for the same. */
    private final String follower = UUID.randomUUID().toString();

    PeerTransport(HttpClient http, PeerAddress address, PeerSecret secret) {
        this.http = http;
        this.address = address;
        this.secret = secret;
    }

    PeerAddress address() {
        return address;
    }

    /** The answer to a question about one partition. */
    byte[] ask(int partition, byte[] question) throws IOException, InterruptedException {
        return send(
                request(PeerPaths.partition(partition)).POST(BodyPublishers.ofByteArray(question)),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), PeerPaths.MAX_ANSWER_BYTES));
    }

    /** What the node says of itself, as JSON. */
    byte[] node() throws IOException, InterruptedException {
        return send(
                request(PeerPaths.NODE).GET(),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), PeerPaths.MAX_NODE_BYTES));
    }

    /** Frames of states, until one side closes it. */
    InputStream states() throws IOException, InterruptedException {
        return send(request(PeerPaths.STATES).GET(), BodyHandlers.ofInputStream());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path))
                .header("Authorization", secret.authorization())
                .header(PeerPaths.FOLLOWER, follower);
    }

    private <T> T send(HttpRequest.Builder request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        // Not the request's own timeout: that one may end with the headers, and a body stalls too.
        CompletableFuture<HttpResponse<T>> sent = http.sendAsync(request.build(), body);
        try {
            HttpResponse<T> answer = sent.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            return answer.statusCode() == 200 ? answer.body() : refused(answer);
        } catch (TimeoutException _) {
            throw new IOException("no answer within " + ANSWER.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    private static <T> T refused(HttpResponse<T> answer) throws IOException {
        if (answer.body() instanceof InputStream body) {
            body.close();
        }
        throw new IOException(
                answer.statusCode() == 401
                        ? "it has another secret"
                        : "it answered " + answer.statusCode());
    }
}
