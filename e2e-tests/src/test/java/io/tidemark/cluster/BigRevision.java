package io.tidemark.cluster;

import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.OrderedDeletes;
import io.tidemark.harness.ProcessCluster;
import io.tidemark.harness.TestEtcd;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Deletes very many objects at one etcd revision in front of a cluster of real processes, with
 * watches that keep up and watches that read only after the others have received all of it.
 *
 * @param objects how many, over {@code namespaces} namespaces
 * @param size of each value in etcd, in bytes
 * @param live watches that read at once
 * @param lagging watches that begin to read when the live ones are done; every other one is opened
 *     only then
 * @param heap of each process, as in -Xmx
 */
record BigRevision(
        int objects,
        int size,
        int namespaces,
        int nodes,
        int partitions,
        int live,
        int lagging,
        String heap) {
    private static final int TRANSACTION_BYTES = 1_000_000;
    private static final int MOST_WRITES = 100;
    private static final long OPENED_MINUTES = 3;
    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\(");

    /**
     * @param wrong each watch's errors; empty when every one got every DELETED once and in order
     * @param peakHeap by process: its maximal heap use, MiB before and after a collection
     */
    record Result(List<String> wrong, long millis, Map<String, String> peakHeap) {}

    Result run(Path folder, Consumer<String> log) throws Exception {
        List<String> names = IntStream.range(0, objects).mapToObj("cm-%07d"::formatted).toList();
        // Room for a partition that holds all of it, for any distribution of the namespaces.
        List<String> options = List.of("--history-bytes", Long.toString(16L << 30));
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                ProcessCluster cluster =
                        ProcessCluster.start(
                                folder.resolve("cluster"),
                                etcd.endpoint(),
                                nodes,
                                partitions,
                                heap,
                                options)) {
            log.accept("writing %,d objects of %,d bytes".formatted(objects, size));
            long revision = fill(etcd, names);
            cluster.awaitShown(revision);
            long began = System.nanoTime();
            List<String> wrong = watch(etcd, cluster, names, revision, log);
            long millis = (System.nanoTime() - began) / 1_000_000;
            Map<String, String> peaks = new TreeMap<>();
            peaks.put("connector", peak(cluster.gcLog("connector")));
            for (int i = 0; i < nodes; i++) {
                peaks.put("node-" + i, peak(cluster.gcLog("node-" + i)));
            }
            return new Result(wrong, millis, peaks);
        }
    }

    /** Returns the newest revision. */
    private long fill(TestEtcd etcd, List<String> names) {
        String filler = "x".repeat(size);
        int most = Math.clamp(TRANSACTION_BYTES / size, 1, MOST_WRITES);
        long revision = 0;
        List<Op> writes = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            String namespace = namespace(i);
            String value = TestEtcd.configMap(namespace, names.get(i), filler);
            writes.add(
                    new Op.Put(TestEtcd.configMapKey(namespace, names.get(i)), Bytes.utf8(value)));
            if (writes.size() == most || i == objects - 1) {
                revision = etcd.client().txn(Txn.of(writes.toArray(Op[]::new))).revision();
                writes.clear();
            }
        }
        return revision;
    }

    /** In the order of the names, so that etcd deletes in that order. */
    private String namespace(int object) {
        return "ns-%04d".formatted((int) ((long) object * namespaces / objects));
    }

    private List<String> watch(
            TestEtcd etcd,
            ProcessCluster cluster,
            List<String> names,
            long revision,
            Consumer<String> log)
            throws Exception {
        CountDownLatch now = new CountDownLatch(0);
        CountDownLatch later = new CountDownLatch(1);
        List<String> wrong = new ArrayList<>();
        try (ExecutorService clients =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<String>> lives = new ArrayList<>();
            List<Future<String>> laggings = new ArrayList<>();
            CountDownLatch opened = new CountDownLatch(live + lagging - lagging / 2);
            for (int i = 0; i < live; i++) {
                OrderedDeletes watch = new OrderedDeletes(url(cluster, i, revision), names, now);
                lives.add(clients.submit(() -> watch.run(opened)));
            }
            for (int i = 0; i < lagging; i++) {
                boolean lateBegin = i % 2 == 1;
                OrderedDeletes watch = new OrderedDeletes(url(cluster, i, revision), names, later);
                laggings.add(
                        clients.submit(() -> {
                            if (lateBegin) {
                                later.await();
                            }
                            return watch.run(opened);
                        }));
            }
            if (!opened.await(OPENED_MINUTES, TimeUnit.MINUTES)) {
                wrong.add("watches did not open");
            }
            long deleted = etcd.client().deletePrefix(Bytes.utf8("/registry/configmaps/"));
            log.accept("deleted %,d objects at one revision".formatted(deleted));
            collect(lives, wrong);
            log.accept("live watches are done");
            later.countDown();
            collect(laggings, wrong);
        }
        return wrong;
    }

    private static void collect(List<Future<String>> watches, List<String> wrong)
            throws InterruptedException {
        for (Future<String> watch : watches) {
            try {
                String what = watch.get();
                if (!what.isEmpty()) {
                    wrong.add(what);
                }
            } catch (ExecutionException e) {
                wrong.add(String.valueOf(e.getCause()));
            }
        }
    }

    private String url(ProcessCluster cluster, int watch, long revision) {
        return cluster.nodes().get(watch % nodes).api().url()
                + "/api/v1/configmaps?watch=true&resourceVersion="
                + revision;
    }

    private static String peak(Path gcLog) throws IOException {
        long before = 0;
        long after = 0;
        for (String line : Files.readAllLines(gcLog)) {
            Matcher found = COLLECTION.matcher(line);
            if (found.find()) {
                before = Math.max(before, Long.parseLong(found.group(1)));
                after = Math.max(after, Long.parseLong(found.group(2)));
            }
        }
        return "%d MiB, %d MiB after a collection".formatted(before, after);
    }
}
