package io.tidemark.authentication.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests whose whole answer comes within {@link #WITHIN}, up to a size. It follows no
 * redirect: the address is configured, and credentials go nowhere else. Thread-safe; its threads
 * begin with the first request.
 */
public final class BoundedHttpClient {
    public static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final Supplier<Optional<SSLContext>> tls;
    private @Nullable HttpClient client;

    /**
     * @param tls trusted certificates; empty for those that the JDK trusts. It is called once, for
     *     the first request
     */
    public BoundedHttpClient(Supplier<Optional<SSLContext>> tls) {
        this.tls = tls;
    }

    /** An answer of any status. */
    public record Answer(int status, byte[] body) {}

    /**
     * @param maxBytes of the answer's body
     * @throws IOException when there is no answer in time, or it is too long
     */
    public Answer get(URI uri, int maxBytes) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(uri).header("Accept", "application/json").build(), maxBytes);
    }

    /**
     * Posts JSON.
     *
     * @param headers besides those of the content
     * @param maxBytes of the answer's body
     * @throws IOException when there is no answer in time, or it is too long
     */
    public Answer post(URI uri, byte[] json, Map<String, String> headers, int maxBytes)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .header("Accept", "application/json")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(json));
        headers.forEach(request::header);
        return send(request.build(), maxBytes);
    }

    private Answer send(HttpRequest request, int maxBytes)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent =
                client().sendAsync(
                                request,
                                _ ->
                                        BodySubscribers.limiting(
                                                BodySubscribers.ofByteArray(), maxBytes));
        try {
            HttpResponse<byte[]> response = sent.get(WITHIN.toNanos(), TimeUnit.NANOSECONDS);
            return new Answer(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + WITHIN.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    private synchronized HttpClient client() {
        HttpClient made = client;
        if (made == null) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .followRedirects(HttpClient.Redirect.NEVER)
                            .connectTimeout(CONNECT)
                            .executor(task -> Thread.ofVirtual().name("login-client").start(task));
            tls.get().ifPresent(builder::sslContext);
            made = builder.build();
            client = made;
        }
        return made;
    }
}
