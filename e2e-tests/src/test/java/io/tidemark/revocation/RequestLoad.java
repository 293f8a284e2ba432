package io.tidemark.revocation;

import io.tidemark.http.testing.TestHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Fifty lists a second by one caller, of which each tenth begins a new connection. */
final class RequestLoad implements AutoCloseable {
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final Supplier<TestHttpClient> clients;
    private final String path;
    private final String[] headers;
    private final AtomicInteger sent = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    RequestLoad(Supplier<TestHttpClient> clients, String path, String... headers) {
        this.clients = clients;
        this.path = path;
        this.headers = headers.clone();
        this.thread = Thread.ofPlatform().name("request-load").start(this::run);
    }

    /** Requests that were answered. */
    int sent() {
        return sent.get();
    }

    /** What was not answered with 200. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    private void run() {
        try (TestHttpClient kept = clients.get()) {
            for (long next = System.nanoTime(); !closed; next += PAUSE_NANOS) {
                LockSupport.parkNanos(next - System.nanoTime());
                if (sent.incrementAndGet() % 10 > 0) {
                    request(kept);
                } else {
                    try (TestHttpClient fresh = clients.get()) {
                        request(fresh);
                    }
                }
            }
        }
    }

    private void request(TestHttpClient client) {
        try {
            TestHttpClient.Answer answer = client.get(path, headers);
            if (answer.status() != 200) {
                failures.add(answer.status() + ": " + answer.text());
            }
        } catch (IOException e) {
            failures.add(e.toString());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
