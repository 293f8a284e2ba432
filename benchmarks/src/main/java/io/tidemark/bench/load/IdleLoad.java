package io.tidemark.bench.load;

import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;

/**
 * Open watches without an event: what the server's Java heap keeps for each, and the CPU time that
 * each costs during the duration.
 */
record IdleLoad(String name, String title, int watchers, Duration duration) implements Workload {
    @Override
    public String unit() {
        return "watch";
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Failures failures = new Failures();
        Request request = Request.watchPods(NewestRevision.of(target));
        WatchFleet fleet = new WatchFleet(target, failures);
        try (fleet) {
            long before = JavaHeap.liveBytes(target.process());
            fleet.open(watchers, _ -> request);
            long after = JavaHeap.liveBytes(target.process());
            Usage.Meter meter = new Usage.Meter(target);
            Thread.sleep(duration);
            return new Outcome(
                    meter.read(),
                    fleet.size(),
                    fleet.bytes(),
                    failures.count(),
                    failures.first(),
                    Latency.NONE,
                    Math.max(0, after - before));
        }
    }
}
