package io.tidemark.bench.load;

import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** Many watches on one server. */
final class WatchFleet implements AutoCloseable {
    /** A wake-up for each event would cost the client more than looking again. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

    private final Connections connections;
    private final Failures failures;
    private final LongAdder events = new LongAdder();
    private final List<WatchStream> streams = new ArrayList<>();
    private final List<StalledWatch> stalled = new ArrayList<>();

    WatchFleet(Target target, Failures failures) {
        connections = new Connections(target);
        this.failures = failures;
    }

    /** Opens watches, one after the other, until one cannot be opened. */
    void open(int watchers, IntFunction<Request> requests) {
        try {
            for (int i = 0; i < watchers; i++) {
                streams.add(
                        WatchStream.open(
                                connections, requests.apply(i), events::increment, failures));
            }
        } catch (IOException e) {
            failures.add("only %d of %d watches: %s".formatted(streams.size(), watchers, e));
        }
    }

    /** Opens watches that never read; they do not count. */
    void openStalled(int watchers, Request request) throws IOException {
        for (int i = 0; i < watchers; i++) {
            stalled.add(StalledWatch.open(connections, request));
        }
    }

    int size() {
        return streams.size();
    }

    long events() {
        return events.sum();
    }

    long bytes() {
        return streams.stream().mapToLong(WatchStream::bytes).sum();
    }

    /** Waits until this many events have arrived; false when they have not in time. */
    boolean await(long expected, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (events.sum() < expected) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
        return true;
    }

    /** Times from acknowledgement to arrival, in microseconds; none when it arrived first. */
    Latency latency(Map<Long, Long> acknowledged) {
        Histogram latency = Latency.histogram();
        for (WatchStream stream : streams) {
            stream.eachArrival((revision, arrived) -> {
                Long written = acknowledged.get(revision);
                if (written != null) {
                    long nanos = arrived - written;
                    latency.recordValue(Math.max(0, nanos / 1_000));
                }
            });
        }
        return Latency.of(latency);
    }

    /** Ends all watches and waits for their readers. */
    @Override
    public void close() throws InterruptedException {
        streams.forEach(WatchStream::close);
        stalled.forEach(StalledWatch::close);
        for (WatchStream stream : streams) {
            stream.awaitEnd();
        }
        connections.close();
    }
}
