package io.tidemark.connector.upstream;

import io.tidemark.connector.upstream.KeyValueDocuments.Refused;
import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Requests to the nodes of a Tidemark. Each goes to the node that answered last, and to the others
 * in turn when that one cannot be used. Bounded in time and size; redirects are not followed, so
 * that a token goes where it was meant to go. Thread-safe.
 */
final class UpstreamClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(2);

    /** A node answers within 3 s, or with 504. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** For all nodes together. */
    private static final Duration CALL = Duration.ofSeconds(10);

    /** A page has 8 MiB of stored bytes; what JSON escapes grows. */
    static final long MAX_ANSWER_BYTES = 64L << 20;

    /** Limit of a refusal, which is a Status. */
    private static final int MAX_REFUSAL_BYTES = 64 << 10;

    private static final int OK = 200;

    private final List<URI> endpoints;
    private final long maxAnswerBytes;
    private final Optional<ReloadedFiles<TlsFiles>> files;
    private final Optional<ReloadedFiles<BearerToken>> token;
    private final AtomicInteger preferred = new AtomicInteger();
    private Connections connections;

    private record TlsFiles(Optional<TlsIdentity> identity, List<X509Certificate> authorities) {}

    /** Connections that use one state of the files. */
    private record Connections(Optional<TlsFiles> files, HttpClient http) {
        static Connections of(Optional<TlsFiles> files) {
            HttpClient.Builder client =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .followRedirects(HttpClient.Redirect.NEVER)
                            .connectTimeout(CONNECT)
                            .executor(task -> Thread.ofVirtual().name("upstream").start(task));
            files.map(each -> TlsContexts.of(each.identity(), each.authorities()))
                    .ifPresent(client::sslContext);
            return new Connections(files, client.build());
        }
    }

    /** An answer with status 200. */
    record Answer<T>(URI endpoint, HttpResponse<T> response) {
        /**
         * @throws EtcdException if the answer has no such header, as that of another server
         */
        String header(String name) {
            return response.headers()
                    .firstValue(name)
                    .orElseThrow(() ->
                            new EtcdException(
                                    Kind.OTHER,
                                    "%s is no Tidemark that can be followed: its answers have no %s"
                                            .formatted(endpoint, name),
                                    null));
        }

        /**
         * @throws EtcdException if it has none that is a number
         */
        long number(String name) {
            String text = header(name);
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new EtcdException(
                        Kind.OTHER, "%s: %s is no number: '%s'".formatted(endpoint, name, text), e);
            }
        }

        /**
         * @throws EtcdException if it names none
         */
        HistoryName history() {
            try {
                return HistoryName.parse(header("X-Tidemark-History"));
            } catch (IllegalArgumentException e) {
                throw new EtcdException(
                        Kind.OTHER, "%s: %s".formatted(endpoint, e.getMessage()), e);
            }
        }
    }

    /**
     * @param maxAnswerBytes limit of a whole answer, such as {@link #MAX_ANSWER_BYTES}
     * @throws IllegalArgumentException when a file cannot be used; the message is a sentence
     */
    UpstreamClient(UpstreamOptions options, long maxAnswerBytes) {
        this.endpoints = options.endpoints();
        this.maxAnswerBytes = maxAnswerBytes;
        try {
            this.files =
                    options.authorities().isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    new ReloadedFiles<>(
                                            "the certificates for the followed Tidemark",
                                            () -> read(options),
                                            each -> each.authorities().size() + " authorities"));
            this.token =
                    options.tokenFile().isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    new ReloadedFiles<>(
                                            "the token for the followed Tidemark",
                                            () -> BearerToken.read(options.tokenFile().get()),
                                            _ -> "a new token"));
        } catch (IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
        this.connections = Connections.of(files.map(Supplier::get));
    }

    private static TlsFiles read(UpstreamOptions options) throws IOException {
        Optional<TlsIdentity> identity = Optional.empty();
        if (options.identity().isPresent()) {
            UpstreamOptions.Identity pair = options.identity().get();
            identity = Optional.of(TlsIdentity.read(pair.certificate(), pair.key()));
        }
        return new TlsFiles(
                identity, TlsIdentity.readAuthorities(options.authorities().orElseThrow()));
    }

    /**
     * A whole answer.
     *
     * @param query of the request
     */
    Answer<byte[]> get(String query) {
        return call(
                query,
                answer ->
                        BodySubscribers.limiting(
                                BodySubscribers.ofByteArray(),
                                answer.statusCode() == OK ? maxAnswerBytes : MAX_REFUSAL_BYTES),
                body -> body);
    }

    /** An answer that goes on; the caller closes it. */
    Answer<InputStream> stream(String query) {
        return call(
                query,
                answer ->
                        answer.statusCode() == OK
                                ? BodySubscribers.ofInputStream()
                                : wholeRefusal(),
                UpstreamClient::bytes);
    }

    /**
     * The answer is complete with its body only, so that the wait for both is bounded: a node may
     * announce a body and not send it.
     */
    private static BodySubscriber<InputStream> wholeRefusal() {
        return BodySubscribers.mapping(
                BodySubscribers.limiting(BodySubscribers.ofByteArray(), MAX_REFUSAL_BYTES),
                ByteArrayInputStream::new);
    }

    private static byte[] bytes(InputStream refusal) {
        try (refusal) {
            return refusal.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was told of a node is about the next one. */
    void distrust(URI endpoint) {
        int index = endpoints.indexOf(endpoint);
        boolean _ = preferred.compareAndSet(index, (index + 1) % endpoints.size());
    }

    /** Reads the body of a refusal. */
    private interface RefusalBody<T> {
        byte[] of(T body);
    }

    private <T> Answer<T> call(String query, BodyHandler<T> body, RefusalBody<T> refusal) {
        long deadline = System.nanoTime() + CALL.toNanos();
        int first = preferred.get();
        EtcdException last = null;
        for (int i = 0; i < endpoints.size(); i++) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            int index = (first + i) % endpoints.size();
            URI endpoint = endpoints.get(index);
            // A silent node leaves the others their share.
            Patience patience =
                    new Patience(
                            Math.min(ANSWER.toNanos(), left / (endpoints.size() - i)),
                            Math.min(ANSWER.toNanos(), left));
            try {
                HttpResponse<T> response = send(endpoint, query, body, patience);
                if (response.statusCode() == OK) {
                    preferred.set(index);
                    return new Answer<>(endpoint, response);
                }
                last = refused(endpoint, response.statusCode(), refusal.of(response.body()));
            } catch (EtcdException e) {
                last = e;
            }
            if (last.kind() == Kind.TOO_LARGE) {
                distrust(endpoint); // It may have stopped within the answer.
            }
            if (last.kind() != Kind.UNAVAILABLE && last.kind() != Kind.DEADLINE) {
                throw last;
            }
        }
        distrust(endpoints.get(first));
        throw last == null ? new EtcdException(Kind.DEADLINE, "no answer in time", null) : last;
    }

    /**
     * How long to wait for a node.
     *
     * @param silent while no answer has begun
     * @param whole for all of the answer
     */
    private record Patience(long silent, long whole) {}

    private <T> HttpResponse<T> send(
            URI endpoint, String query, BodyHandler<T> body, Patience patience) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(endpoint + "?" + query))
                        .header("Accept", "application/json");
        token.ifPresent(file -> request.header("Authorization", file.get().header()));
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<HttpResponse<T>> answer =
                http().sendAsync(
                                request.build(),
                                head -> {
                                    begun.set(head.statusCode() == OK);
                                    return body.apply(head);
                                });
        try {
            return await(answer, begun, patience);
        } catch (TimeoutException e) {
            boolean _ = answer.cancel(true);
            // An answer that does not end in time is too large for this connection.
            throw new EtcdException(
                    begun.get() ? Kind.TOO_LARGE : Kind.DEADLINE,
                    "%s did not answer in time".formatted(endpoint),
                    e);
        } catch (ExecutionException e) {
            throw failed(endpoint, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            boolean _ = answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new EtcdException(Kind.OTHER, "interrupted", e);
        }
    }

    private static <T> T await(CompletableFuture<T> answer, AtomicBoolean begun, Patience patience)
            throws ExecutionException, InterruptedException, TimeoutException {
        try {
            return answer.get(patience.silent(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (!begun.get()) {
                throw e;
            }
            return answer.get(patience.whole() - patience.silent(), TimeUnit.NANOSECONDS);
        }
    }

    private static EtcdException failed(URI endpoint, Throwable cause) {
        // Only its text tells the failure of a limited body from others.
        boolean tooLong = String.valueOf(cause.getMessage()).contains("exceeds capacity");
        return new EtcdException(
                tooLong ? Kind.TOO_LARGE : Kind.UNAVAILABLE,
                "%s: %s".formatted(endpoint, reason(cause)),
                cause);
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    private static EtcdException refused(URI endpoint, int status, byte[] body) {
        Refused why = KeyValueDocuments.refused(status, body);
        return new EtcdException(kind(why), "%s: %s".formatted(endpoint, why.message()), null);
    }

    /** What an error means for who asked. */
    static Kind kind(Refused why) {
        return switch (why.code()) {
            case 401, 403 -> Kind.AUTH;
            case 410 -> Kind.COMPACTED;
            case 429 -> Kind.UNAVAILABLE;
            default -> why.code() >= 500 ? Kind.UNAVAILABLE : Kind.OTHER;
        };
    }

    /** Over new connections after the files have changed. */
    private synchronized HttpClient http() {
        if (files.isPresent()) {
            TlsFiles newest = files.get().get();
            if (!connections.files().equals(Optional.of(newest))) {
                connections.http().shutdown();
                connections = Connections.of(Optional.of(newest));
            }
        }
        return connections.http();
    }

    @Override
    public synchronized void close() {
        connections.http().shutdownNow();
    }
}
