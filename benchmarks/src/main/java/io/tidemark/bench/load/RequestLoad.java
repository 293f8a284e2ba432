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
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Clients that each send the next request when they have read the answer to the last.
 *
 * @param requests the next request of a client
 * @param duration at least one request a client is completed, however long it takes
 */
record RequestLoad(
        String name,
        String title,
        int clients,
        Function<SplittableRandom, Request> requests,
        Duration duration)
        implements Workload {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int ERROR_BYTES = 1 << 10;

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
        try (Connections connections = new Connections(target)) {
            for (int client = 0; client < clients; client++) {
                SplittableRandom random = new SplittableRandom(client);
                threads.add(
                        Thread.startVirtualThread(() -> {
                            Histogram own = Latency.histogram();
                            runClient(connections, random, end, own, bytes, failures);
                            synchronized (latency) {
                                latency.add(own);
                            }
                        }));
            }
            for (Thread thread : threads) {
                thread.join();
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

    private void runClient(
            Connections connections,
            SplittableRandom random,
            long end,
            Histogram latency,
            LongAdder bytes,
            Failures failures) {
        try (Connection connection = connections.open(BUFFER_BYTES)) {
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
