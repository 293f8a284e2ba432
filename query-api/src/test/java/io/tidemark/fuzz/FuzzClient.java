package io.tidemark.fuzz;

import io.tidemark.fuzz.FuzzRequest.Form;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends requests to a server, over one connection after the other. For one thread. */
final class FuzzClient implements AutoCloseable {
    /** How long an unbounded response is read. */
    private static final Duration LISTEN = Duration.ofMillis(250);

    private final InetSocketAddress server;
    private final int patienceMillis;
    private final Tally tally;
    private @Nullable RawHttp connection;
    private boolean used;

    /**
     * @param patienceMillis a response that takes longer counts as a hang
     */
    FuzzClient(String host, int port, int patienceMillis, Tally tally) {
        this.server = new InetSocketAddress(host, port);
        this.patienceMillis = patienceMillis;
        this.tally = tally;
    }

    void send(FuzzRequest request) {
        long start = System.nanoTime();
        try {
            if (request.form() != Form.WHOLE) {
                close();
            }
            if (!exchange(request)) {
                close(); // The server closed the connection before the request.
                if (!exchange(request)) {
                    tally.fault(request, "no answer");
                }
            }
        } catch (SocketTimeoutException _) {
            tally.fault(request, "no end within %d ms".formatted(patienceMillis));
            close();
        } catch (IOException e) {
            tally.fault(request, "cannot be read: " + e);
            close();
        }
        tally.sent(System.nanoTime() - start);
    }

    /** Whether a required response came. */
    private boolean exchange(FuzzRequest request) throws IOException {
        boolean again = used;
        try {
            write(request);
            for (int i = 0; i < request.answers(); i++) {
                Optional<ParsedResponse> answer = next(request);
                if (answer.isEmpty()) {
                    close();
                    tally.unanswered();
                    return request.form() == Form.MALFORMED || i > 0;
                }
                judge(request, answer.get());
                if (answer.get().closes()) {
                    close();
                    return true;
                }
            }
        } catch (SocketException | EOFException e) {
            // A server that closes before it has read everything resets the connection; responses
            // may be lost.
            if (request.form() == Form.WHOLE && !again) {
                throw e;
            }
            tally.unanswered();
            close();
            return request.form() != Form.WHOLE;
        }
        if (request.form() != Form.WHOLE) {
            close();
        }
        return true;
    }

    private void judge(FuzzRequest request, ParsedResponse answer) {
        tally.answered(request, answer);
        ResponseRules.fault(request, answer)
                .ifPresent(fault -> tally.fault(request, fault + ": " + shown(answer)));
    }

    private static String shown(ParsedResponse answer) {
        String body =
                new String(
                        answer.body(),
                        0,
                        Math.min(600, answer.body().length),
                        StandardCharsets.UTF_8);
        return answer.status() + " " + answer.headers() + System.lineSeparator() + body;
    }

    private void write(FuzzRequest request) throws IOException {
        RawHttp open = connected();
        used = true;
        open.send(request.bytes());
        if (request.form() == Form.MALFORMED) {
            open.endOutput();
        }
    }

    /** The next response; empty when the server closes the connection instead. */
    private Optional<ParsedResponse> next(FuzzRequest request) throws IOException {
        RawHttp open = connected();
        open.within(Duration.ofMillis(patienceMillis));
        Optional<RawResponse> begun = open.nextResponse(request.head());
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        RawResponse response = begun.get();
        boolean unbounded = request.endless() && response.status() < 300;
        if (unbounded) {
            open.within(LISTEN);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean complete = true;
        try {
            response.body().transferTo(body);
        } catch (SocketTimeoutException e) {
            if (!unbounded) {
                throw e;
            }
            complete = false;
        }
        return Optional.of(
                new ParsedResponse(
                        response.status(), response.headers(), body.toByteArray(), complete));
    }

    private RawHttp connected() throws IOException {
        RawHttp open = connection;
        if (open == null) {
            open = new RawHttp(server, RawHttp.Options.DEFAULT);
            connection = open;
            used = false;
        }
        return open;
    }

    @Override
    public void close() {
        try (RawHttp _ = connection) {
            connection = null;
            used = false;
        } catch (IOException _) {
            // The connection is not reused.
        }
    }
}
