package io.tidemark.benchmarks;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.stream.Stream;

/** A partition store in RocksDB in a temporary folder, filled with listed pods. */
final class BenchmarkStore implements AutoCloseable {
    private final Path folder;
    private final RocksMemory memory;
    final PartitionStore store;
    private final boolean managed;
    private long revision;
    private long offset;

    BenchmarkStore(int pods, int padding) throws IOException {
        this(pods, padding, false);
    }

    /**
     * @param managed whether the pods have managedFields, as in a cluster
     */
    BenchmarkStore(int pods, int padding, boolean managed) throws IOException {
        this(pods, padding, managed, ReadExecutor.DIRECT);
    }

    BenchmarkStore(int pods, int padding, boolean managed, ReadExecutor gate) throws IOException {
        this.managed = managed;
        folder = Files.createTempDirectory("tidemark-benchmark");
        memory = new RocksMemory(512 << 20, 256 << 20);
        store =
                PartitionStore.open(
                        0,
                        RocksEngine.open(folder.resolve("store"), memory),
                        StoreSettings.DEFAULT,
                        InstantSource.system(),
                        gate,
                        false);
        revision = Math.max(pods, 1);
        mark(Kind.LIST_BEGIN);
        for (int pod = 0; pod < pods; pod++) {
            store.apply(
                    Samples.put(pod, pod + 1, pod + 1, true, json(pod, pod + 1, padding)),
                    offset++,
                    System.currentTimeMillis());
        }
        mark(Kind.LIST_END);
    }

    private Bytes json(int pod, long at, int padding) {
        return managed ? Samples.managedPod(pod, at, padding) : Samples.pod(pod, at, padding);
    }

    long revision() {
        return revision;
    }

    /** One update of a pod at the next revision; not visible before a mark. */
    void update(int pod, int padding) {
        revision++;
        store.apply(
                Samples.put(pod, revision, 1, false, json(pod, revision, padding)),
                offset++,
                System.currentTimeMillis());
    }

    void mark() {
        mark(Kind.PROGRESS);
    }

    private void mark(Kind kind) {
        store.apply(Samples.mark(revision, kind), offset++, System.currentTimeMillis());
    }

    @Override
    public void close() throws IOException {
        store.close();
        memory.close();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
