package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The watch guarantees of etcd's robustness tests, on real streams: clients that reconnect again
 * and again at their last revision must together have received exactly what was written. Ordered,
 * Unique, Reliable, Resumable and Filter are one comparison with the truth; Atomic and Bookmarkable
 * are checked as the events arrive.
 */
@ExtendWith(SharedCluster.class)
class WatchGuaranteesIT {
    private static final int WRITES = 300;
    private static final int KEYS = 12;

    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;
    private final String space = ScenarioCluster.space();
    private final Map<String, Boolean> present = new TreeMap<>();
    private final List<String> truth = new ArrayList<>();

    WatchGuaranteesIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** TestValidateWatch: KubernetesHighTraffic, with transactions of several keys. */
    @Scenario
    void guaranteesHoldUnderTraffic() throws Exception {
        long start = cluster.elsewhere();
        AtomicLong last = new AtomicLong(Long.MAX_VALUE);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<String>>> seen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                seen.add(clients.submit(() -> follow("", start, last)));
            }
            Future<List<String>> one =
                    clients.submit(
                            () -> follow("&fieldSelector=metadata.name%3Dpod-3", start, last));
            last.set(write(new SplittableRandom(start)));
            for (Future<List<String>> client : seen) {
                assertThat(client.get()).isEqualTo(truth);
            }
            assertThat(one.get())
                    .isEqualTo(truth.stream().filter(event -> event.contains(" pod-3@")).toList());
        }
    }

    /** Returns the last revision. */
    private long write(SplittableRandom random) {
        long at = 0;
        for (int i = 0; i < WRITES; i++) {
            Map<String, Op> ops = new TreeMap<>();
            for (int n = random.nextInt(5) == 0 ? 3 : 1; n > 0; n--) {
                String name = "pod-" + random.nextInt(KEYS);
                boolean delete = present.containsKey(name) && random.nextInt(4) == 0;
                ops.put(name, delete ? new Op.Delete(pods.key(space, name)) : pods.op(space, name));
            }
            at = cluster.etcd().client().txn(Txn.of(ops.values().toArray(Op[]::new))).revision();
            for (Map.Entry<String, Op> op : ops.entrySet()) {
                truth.add(event(op.getKey(), op.getValue()) + " " + op.getKey() + "@" + at);
            }
        }
        return at;
    }

    private String event(String name, Op op) {
        return switch (op) {
            case Op.Put _ -> present.put(name, true) == null ? "ADDED" : "MODIFIED";
            case Op.Delete _ -> {
                present.remove(name);
                yield "DELETED";
            }
        };
    }

    private List<String> follow(String selector, long start, AtomicLong last) throws Exception {
        List<String> seen = new ArrayList<>();
        long cursor = start;
        while (cursor < last.get()) {
            String query =
                    "allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion="
                            + cursor
                            + selector;
            try (ScenarioWatch watch = ScenarioWatch.open(cluster.api(), pods.path(space), query)) {
                cursor = check(watch.restJson(), cursor, seen);
            }
        }
        return seen;
    }

    /** Adds the events of one stream that began after {@code start}; returns where it ended. */
    private static long check(List<JsonNode> stream, long start, List<String> seen) {
        long cursor = start;
        long told = start;
        for (JsonNode event : stream) {
            String shown = AnswerSummary.event(event);
            long at = Long.parseLong(shown.substring(shown.indexOf('@') + 1));
            assertThat(at).as(shown).isGreaterThanOrEqualTo(cursor);
            if (shown.startsWith("BOOKMARK")) {
                told = at;
            } else {
                assertThat(at).as(shown).isGreaterThan(told);
                seen.add(shown);
            }
            cursor = at;
        }
        return cursor;
    }
}
