package io.tidemark.fuzz;

import io.tidemark.fuzz.FuzzRequest.Form;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends requests to a server, over one connection after the other. For one thread. */
final class FuzzClient implements AutoCloseable {
    private final String host;
    private final int port;
    private final int patienceMillis;
    private final Tally tally;
    private @Nullable Socket socket;
    private @Nullable ResponseReader reader;
    private boolean used;

    /**
     * @param patienceMillis a response that takes longer counts as a hang
     */
    FuzzClient(String host, int port, int patienceMillis, Tally tally) {
        this.host = host;
        this.port = port;
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
                Optional<ParsedResponse> answer =
                        connected().next(request.head(), request.endless());
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
        ResponseReader _ = connected();
        Socket open = socket;
        if (open == null) {
            throw new IllegalStateException("not connected");
        }
        used = true;
        open.getOutputStream().write(request.bytes());
        if (request.form() == Form.MALFORMED) {
            open.shutdownOutput();
        }
    }

    private ResponseReader connected() throws IOException {
        ResponseReader open = reader;
        if (open == null) {
            socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            open = new ResponseReader(socket, patienceMillis);
            reader = open;
            used = false;
        }
        return open;
    }

    @Override
    public void close() {
        try (Socket _ = socket) {
            socket = null;
            reader = null;
            used = false;
        } catch (IOException _) {
            // The connection is not reused.
        }
    }
}
