package io.tidemark.bench.content;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Writes all pods, several at a time, and finds which are there. */
public record Fill(Pods pods, EtcdClient etcd) {
    private static final int WRITERS = 16;
    private static final int PROGRESS_EVERY = 5_000;
    private static final int PAGE_KEYS = 5_000;

    /**
     * @param progress receives lines for a human
     * @throws IOException when etcd refuses a write
     */
    public void run(Consumer<String> progress) throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<String> failure = new AtomicReference<>("");
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(Thread.startVirtualThread(() -> write(next, failure, progress)));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        if (!failure.get().isEmpty()) {
            throw new IOException(failure.get());
        }
    }

    /**
     * How many of the pods etcd does not have.
     *
     * @throws IOException when etcd refuses a read
     */
    public long missing() throws IOException {
        Set<Bytes> there = new HashSet<>();
        try {
            RangeScan scan =
                    etcd.scan(RangeRequest.prefix(pods.keyPrefix()).withKeysOnly(), PAGE_KEYS);
            for (var page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
                page.get().keyValues().forEach(each -> there.add(each.key()));
            }
        } catch (EtcdException e) {
            throw new IOException("etcd: " + e.getMessage(), e);
        }
        return IntStream.range(0, pods.count())
                .filter(pod -> !there.contains(pods.key(pod)))
                .count();
    }

    private void write(
            AtomicInteger next, AtomicReference<String> failure, Consumer<String> progress) {
        for (int pod = next.getAndIncrement();
                pod < pods.count() && failure.get().isEmpty();
                pod = next.getAndIncrement()) {
            try {
                long _ = etcd.put(pods.key(pod), pods.value(pod, 0));
            } catch (RuntimeException e) {
                failure.set("etcd: " + e.getMessage());
            }
            if ((pod + 1) % PROGRESS_EVERY == 0) {
                progress.accept("%,d of %,d pods written".formatted(pod + 1, pods.count()));
            }
        }
    }
}
