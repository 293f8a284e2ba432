package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import io.tidemark.etcd.EtcdClient;
import java.io.IOException;
import java.time.Duration;

/** Watches that begin a number of events behind, and are served from the history. */
record ReplayLoad(
        String name, String title, Pods pods, EtcdClient etcd, int watchers, int eventsBehind)
        implements Workload {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Override
    public String unit() {
        return "delivery";
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Failures failures = new Failures();
        long from = NewestRevision.of(target);
        Writes writes = new Writes(pods, etcd, failures);
        writes.atOnce(eventsBehind, _ -> {});
        NewestRevision.await(target, writes.newestRevision());
        Request request = Request.watchPods(from);
        WatchFleet fleet = new WatchFleet(target, failures);
        Usage usage;
        try (fleet) {
            Usage.Meter meter = new Usage.Meter(target);
            fleet.open(watchers, _ -> request);
            long expected = (long) fleet.size() * writes.acknowledged().size();
            boolean all = fleet.await(expected, TIMEOUT);
            usage = meter.read();
            if (!all) {
                failures.add("%d of %d deliveries".formatted(fleet.events(), expected));
            }
        }
        return new Outcome(
                usage,
                fleet.events(),
                fleet.bytes(),
                failures.count(),
                failures.first(),
                Latency.NONE);
    }
}
