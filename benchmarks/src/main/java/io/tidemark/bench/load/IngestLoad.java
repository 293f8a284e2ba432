package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import io.tidemark.etcd.EtcdClient;
import java.io.IOException;
import java.time.Duration;

/** Writes as fast as etcd takes them, until one watch has received all. */
record IngestLoad(String name, String title, Pods pods, EtcdClient etcd, int count)
        implements Workload {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Override
    public String unit() {
        return "write";
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Failures failures = new Failures();
        Writes writes = new Writes(pods, etcd, failures);
        long from = NewestRevision.of(target);
        WatchFleet fleet = new WatchFleet(target, failures);
        Usage usage;
        try (fleet) {
            fleet.open(1, _ -> Request.watchPods(from));
            Usage.Meter meter = new Usage.Meter(target);
            writes.atOnce(count, _ -> {});
            boolean all = fleet.await(writes.acknowledged().size(), TIMEOUT);
            usage = meter.read();
            if (!all) {
                failures.add(
                        "%d of %d writes arrived"
                                .formatted(fleet.events(), writes.acknowledged().size()));
            }
        }
        return new Outcome(
                usage,
                fleet.events(),
                fleet.bytes(),
                failures.count(),
                failures.first(),
                fleet.latency(writes.acknowledged()));
    }
}
