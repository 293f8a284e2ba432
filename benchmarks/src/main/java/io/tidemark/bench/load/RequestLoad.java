package io.tidemark.bench.load;

import io.tidemark.bench.http.BodySink;
import io.tidemark.bench.http.Connection;
import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.ResponseReader;
import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Clients that each send the next request when they have read the answer to the last.
 *
 * @param requests the next request of a client
 * @param duration at least one request a client is completed, if it takes no longer than the
 *     patience more
 * @param patience after which requests that are not answered have failed
 */
record RequestLoad(
        String name,
        String title,
        int clients,
        Function<SplittableRandom, Request> requests,
        Duration duration,
        Duration patience)
        implements Workload {
    /** A list of half a gigabyte for eight clients has taken an API server most of a minute. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int ERROR_BYTES = 1 << 10;

    RequestLoad(
            String name,
            String title,
            int clients,
            Function<SplittableRandom, Request> requests,
            Duration duration) {
        this(name, title, clients, requests, duration, PATIENCE);
    }

    @Override
    public String unit() {
        return "request";
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Failures failures = new Failures();
        LongAdder bytes = new LongAdder();
        Histogram latency = Latency.histogram();
        Usage.Meter meter = new Usage.Meter(target);
        long end = System.nanoTime() + duration.toNanos();
        List<Thread> threads = new ArrayList<>();
        Queue<Connection> open = new ConcurrentLinkedQueue<>();
        try (Connections connections = new Connections(target)) {
            for (int client = 0; client < clients; client++) {
                SplittableRandom random = new SplittableRandom(client);
                threads.add(
                        Thread.startVirtualThread(() -> {
                            Histogram own = Latency.histogram();
                            runClient(connections, open, random, end, own, bytes, failures);
                            synchronized (latency) {
                                latency.add(own);
                            }
                        }));
            }
            for (Thread thread : threads) {
                long left = end + patience.toNanos() - System.nanoTime();
                if (!thread.join(Duration.ofNanos(Math.max(0, left)))) {
                    failures.add("no answer within " + patience.toSeconds() + " s");
                    end(thread, open);
                }
            }
        }
        return new Outcome(
                meter.read(),
                latency.getTotalCount(),
                bytes.sum(),
                failures.count(),
                failures.first(),
                Latency.of(latency));
    }

    /** Again and again: a client may open its connection meanwhile. */
    private static void end(Thread client, Queue<Connection> open) throws InterruptedException {
        do {
            open.forEach(Connection::close);
        } while (!client.join(LOOK_AGAIN));
    }

    private void runClient(
            Connections connections,
            Queue<Connection> open,
            SplittableRandom random,
            long end,
            Histogram latency,
            LongAdder bytes,
            Failures failures) {
        try (Connection connection = connections.open(BUFFER_BYTES)) {
            open.add(connection);
            do {
                long began = System.nanoTime();
                if (connection.send(requests.apply(random)).isOk()) {
                    bytes.add(connection.readBody(BodySink.DISCARD));
                    latency.recordValue((System.nanoTime() - began) / 1_000);
                } else {
                    ResponseReader.Prefix message = new ResponseReader.Prefix(ERROR_BYTES);
                    connection.readBody(message);
                    failures.add(message.text());
                    return;
                }
            } while (System.nanoTime() - end < 0);
        } catch (IOException e) {
            failures.add(e.toString());
        }
    }
}
