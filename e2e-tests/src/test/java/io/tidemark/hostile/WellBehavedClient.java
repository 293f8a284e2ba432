package io.tidemark.hostile;

import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A client without any misbehaviour: it writes its own object at a steady rate, GETs it, and
 * watches its namespace. Each {@link Phase} has separate measurements.
 */
final class WellBehavedClient implements AutoCloseable {
    private static final String NAMESPACE = "bystander";
    private static final String NAME = "mine";
    private static final long PAUSE_NANOS = 20_000_000;

    private final TestEtcd etcd;
    private final Api api;
    private final Api.WatchStream stream;

    /** When the write of a revision was acknowledged. */
    private final Map<String, Long> written = new ConcurrentHashMap<>();

    private final Thread asking = Thread.ofPlatform().name("bystander-asks").unstarted(this::ask);
    private final Thread watching =
            Thread.ofPlatform().name("bystander-watches").unstarted(this::watch);
    private volatile Phase phase = new Phase();
    private volatile boolean over;

    /** The measurements of one part of a run. */
    static final class Phase {
        final Latencies gets = new Latencies();
        final Latencies events = new Latencies();
        final AtomicInteger failed = new AtomicInteger();
        final AtomicInteger writes = new AtomicInteger();
    }

    WellBehavedClient(TestEtcd etcd, Api api) throws Exception {
        this.etcd = etcd;
        this.api = api;
        long revision = etcd.putConfigMap(NAMESPACE, NAME, "first");
        stream =
                api.watch(
                        "/api/v1/namespaces/%s/configmaps?watch=true&resourceVersion=%d"
                                .formatted(NAMESPACE, revision));
        asking.start();
        watching.start();
    }

    /** Ends a part of the run and returns it; the next begins. */
    Phase next() {
        Phase ended = phase;
        phase = new Phase();
        return ended;
    }

    private void ask() {
        for (int i = 0; !over; i++) {
            Phase now = phase;
            long began = System.nanoTime();
            String revision = Long.toString(etcd.putConfigMap(NAMESPACE, NAME, "value-" + i));
            written.put(revision, System.nanoTime());
            now.writes.incrementAndGet();
            long asked = System.nanoTime();
            try {
                if (api.get(BulkObjects.path(NAMESPACE, NAME)).status() == 200) {
                    now.gets.add(System.nanoTime() - asked);
                } else {
                    now.failed.incrementAndGet();
                }
            } catch (Exception _) {
                now.failed.incrementAndGet();
            }
            LockSupport.parkNanos(PAUSE_NANOS - (System.nanoTime() - began));
        }
    }

    private void watch() {
        try {
            while (!over) {
                String revision =
                        stream.next()
                                .path("object")
                                .path("metadata")
                                .path("resourceVersion")
                                .asText();
                long now = System.nanoTime();
                Long since = written.remove(revision);
                // An event may arrive before the writer's acknowledgement: no wait at all.
                phase.events.add(since == null ? 0 : now - since);
            }
        } catch (IOException | InterruptedException | AssertionError _) {
            // The end of the stream; the number of events shows missing ones.
        }
    }

    @Override
    public void close() throws Exception {
        over = true;
        asking.join();
        stream.close();
        watching.join();
    }
}
