package io.tidemark.nodeauth;

import io.tidemark.address.HttpAddress;
import io.tidemark.credentials.MutualTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Sends requests to other nodes and connectors of the group over HTTP. Each request carries a proof
 * that it comes from a node of the group, and an answer counts only with a proof: addresses are
 * hints. With {@link MutualTls} it speaks only https, also to addresses of plain http. Every
 * request is bounded in time and size, redirects are not followed, and of an unproven answer only
 * the status is shown.
 */
public final class NodeClient implements AutoCloseable {
    /** Limit of an unproven answer, which is discarded. */
    private static final long MAX_UNPROVEN_BYTES = 4 << 10;

    private static final Duration CONNECT = Duration.ofSeconds(1);

    private final PeerSecrets secrets;
    private final ClientSessions sessions;
    private final Optional<MutualTls> tls;
    private Connections connections;

    /** Over plain HTTP. */
    public NodeClient(PeerSecrets secrets) {
        this(secrets, Optional.empty());
    }

    public NodeClient(PeerSecrets secrets, Optional<MutualTls> tls) {
        this.secrets = secrets;
        this.tls = tls;
        this.sessions = new ClientSessions(secrets, this::handshake);
        this.connections = Connections.of(tls.map(MutualTls::connecting));
    }

    /** Connections of one TLS context. */
    private record Connections(Optional<SSLContext> context, HttpClient http) {
        static Connections of(Optional<SSLContext> context) {
            HttpClient.Builder client =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .followRedirects(HttpClient.Redirect.NEVER)
                            .connectTimeout(CONNECT)
                            .executor(task -> Thread.ofVirtual().name("node-client").start(task));
            context.ifPresent(client::sslContext);
            return new Connections(context, client.build());
        }
    }

    /** Begins a request, over new connections after the certificates have changed. */
    private synchronized <T> CompletableFuture<HttpResponse<T>> begin(
            HttpRequest request, BodyHandler<T> body) {
        if (tls.isPresent()) {
            SSLContext newest = tls.get().connecting();
            if (connections.context().orElseThrow() != newest) {
                connections.http().shutdown();
                connections = Connections.of(Optional.of(newest));
            }
        }
        return connections.http().sendAsync(request, body);
    }

    private HttpAddress secured(HttpAddress to) {
        return tls.isPresent() ? to.overTls() : to;
    }

    /** An answer with a verified proof. */
    public record Answer(int status, byte[] body) {}

    private record Received<T>(
            HttpAddress from, ClientSession session, ResponseProof proof, T body) {}

    /**
     * Sends a request and returns the whole answer.
     *
     * @param within for all of it, a handshake included
     * @param maxBytes of the answer's body
     * @throws IOException when there is none in time, or it is too long or not proven; the message
     *     is about the other side, and shows nothing that it sent
     */
    public Answer ask(HttpAddress to, NodeRequest request, Duration within, long maxBytes)
            throws IOException, InterruptedException {
        long wireBytes = VerifiedBody.wireBytes(maxBytes);
        Received<byte[]> received =
                send(
                        to,
                        request,
                        within,
                        () -> BodySubscribers.limiting(BodySubscribers.ofByteArray(), wireBytes));
        ResponseProof proof = received.proof();
        try {
            return new Answer(proof.status(), VerifiedBody.verified(received.body(), proof));
        } catch (UnverifiedPeerException e) {
            sessions.forget(received.from(), received.session());
            throw e;
        }
    }

    /**
     * The same to a connector, whose address is as a tide mark names it; the message of an error
     * names the connector.
     */
    public Answer askConnector(String url, NodeRequest request, Duration within, long maxBytes)
            throws IOException, InterruptedException {
        HttpAddress connector;
        try {
            connector = HttpAddress.ofUrl(url);
        } catch (IllegalArgumentException e) {
            throw new IOException("invalid connector address: " + e.getMessage(), e);
        }
        try {
            return ask(connector, request, within, maxBytes);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("the connector at %s: %s".formatted(connector, why), e);
        }
    }

    /**
     * Sends a request and returns a stream of unlimited length; the caller closes it.
     *
     * @param within for the answer to begin
     * @throws IOException when the answer is not a 200 in time; also during reads, when a chunk is
     *     not proven, or the answer is cut off
     */
    public InputStream stream(HttpAddress to, NodeRequest request, Duration within)
            throws IOException, InterruptedException {
        Received<InputStream> received = send(to, request, within, BodySubscribers::ofInputStream);
        if (received.proof().status() != 200) {
            received.body().close();
            throw new IOException("the server answered " + received.proof().status());
        }
        PeerSecret signing = received.session().answerSecret();
        return new VerifyingInputStream(
                received.body(),
                received.proof(),
                () -> secrets.current().contains(signing),
                () -> sessions.forget(received.from(), received.session()));
    }

    private <T> Received<T> send(
            HttpAddress named,
            NodeRequest request,
            Duration within,
            Supplier<BodySubscriber<T>> subscriber)
            throws IOException, InterruptedException {
        HttpAddress to = secured(named);
        long deadline = System.nanoTime() + within.toNanos();
        ClientSession session = sessions.get(to, deadline);
        Optional<Received<T>> first = send(to, session, request, deadline, subscriber);
        if (first.isPresent()) {
            return first.get();
        }
        // The server may have restarted; it has not processed the request.
        sessions.forget(to, session);
        ClientSession next = sessions.get(to, deadline);
        return send(to, next, request, deadline, subscriber)
                .orElseThrow(
                        () -> new UnverifiedPeerException("the server refuses this node's proof"));
    }

    /** Empty when the server does not know the session. */
    private <T> Optional<Received<T>> send(
            HttpAddress to,
            ClientSession session,
            NodeRequest request,
            long deadline,
            Supplier<BodySubscriber<T>> subscriber)
            throws IOException, InterruptedException {
        ClientSession.SignedRequest numbered = session.sign(request);
        HttpRequest sent =
                HttpRequest.newBuilder(to.resolve(request.path()))
                        .method(request.method(), BodyPublishers.ofByteArray(request.body()))
                        .header(NodeAuthProtocol.HEADER, numbered.header())
                        .build();
        HttpResponse<Optional<T>> answer = within(deadline, sent, onlyProven(subscriber));
        int status = answer.statusCode();
        if (answer.body().isPresent()) {
            ResponseProof proof = session.answer(numbered.number(), status);
            return Optional.of(new Received<>(to, session, proof, answer.body().get()));
        }
        if (status == 401) {
            return Optional.empty();
        }
        throw new UnverifiedPeerException(
                "the server answered %d without a proof".formatted(status), status);
    }

    private static <T> BodyHandler<Optional<T>> onlyProven(Supplier<BodySubscriber<T>> subscriber) {
        return info ->
                info.headers()
                                .firstValue(NodeAuthProtocol.HEADER)
                                .filter(NodeAuthProtocol.CHUNKS::equals)
                                .isPresent()
                        ? BodySubscribers.mapping(subscriber.get(), Optional::of)
                        : BodySubscribers.limiting(
                                BodySubscribers.replacing(Optional.empty()), MAX_UNPROVEN_BYTES);
    }

    private ClientSession handshake(HttpAddress to, long deadline)
            throws IOException, InterruptedException {
        return new ClientHandshake((path, body) -> post(to, path, body, deadline))
                .begin(to, secrets.current());
    }

    private byte[] post(HttpAddress to, String path, byte[] body, long deadline)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(to.resolve(path))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        HttpResponse<byte[]> answer =
                within(
                        deadline,
                        request,
                        _ ->
                                BodySubscribers.limiting(
                                        BodySubscribers.ofByteArray(), MAX_UNPROVEN_BYTES));
        return switch (answer.statusCode()) {
            case 200, 204 -> answer.body();
            case 401 -> throw new UnverifiedPeerException("the server has another peer secret");
            case 421 ->
                    throw new UnverifiedPeerException(
                            "the server at %s advertises another address".formatted(to));
            default ->
                    throw new UnverifiedPeerException("the server answered " + answer.statusCode());
        };
    }

    /** The request's own timeout does not cover the body, which may stall too. */
    private <T> HttpResponse<T> within(long deadline, HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> sent = begin(request, body);
        try {
            return sent.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    @Override
    public synchronized void close() {
        connections.http().shutdownNow();
    }
}
