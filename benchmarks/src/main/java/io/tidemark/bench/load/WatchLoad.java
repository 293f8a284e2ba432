package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import io.tidemark.etcd.EtcdClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Watches beside writes at a steady rate: the time from a write's acknowledgement by etcd to each
 * delivery.
 *
 * @param unit {@code delivery} or {@code write}
 * @param byNode whether each watch selects the pods of one node, and not all
 * @param protobuf whether the watches ask for protobuf
 * @param stalled watches of all pods besides, which never read and are not counted
 */
record WatchLoad(
        String name,
        String title,
        String unit,
        Pods pods,
        EtcdClient etcd,
        int watchers,
        boolean byNode,
        boolean protobuf,
        int stalled,
        int writesPerSecond,
        Duration duration)
        implements Workload {
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(60);

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Failures failures = new Failures();
        Writes writes = new Writes(pods, etcd, failures);
        LongAdder expected = new LongAdder();
        long from = NewestRevision.of(target);
        WatchFleet fleet = new WatchFleet(target, failures);
        Usage usage;
        try (fleet) {
            fleet.openStalled(stalled, Request.watchPods(from));
            fleet.open(watchers, watcher -> request(watcher, from));
            int open = fleet.size();
            Usage.Meter meter = new Usage.Meter(target);
            writes.atRate(writesPerSecond, duration, pod -> expected.add(watchersOf(pod, open)));
            boolean all = fleet.await(expected.sum(), DELIVERY_TIMEOUT);
            usage = meter.read();
            if (!all) {
                failures.add(
                        "%d of %d deliveries within %s"
                                .formatted(fleet.events(), expected.sum(), DELIVERY_TIMEOUT));
            }
        }
        return new Outcome(
                usage,
                unit.equals("write") ? writes.acknowledged().size() : fleet.events(),
                fleet.bytes(),
                failures.count(),
                failures.first(),
                fleet.latency(writes.acknowledged()));
    }

    private Request request(int watcher, long from) {
        Request all = Request.watchPods(from);
        all = protobuf ? all.inProtobuf() : all;
        return byNode ? all.with("fieldSelector", "spec.nodeName=" + pods.node(watcher)) : all;
    }

    /** How many of the open watches a change of this pod concerns. */
    private int watchersOf(int pod, int open) {
        if (!byNode) {
            return open;
        }
        int node = pod % pods.nodes();
        return node >= open ? 0 : (open - 1 - node) / pods.nodes() + 1;
    }
}
