package io.tidemark.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real etcd behind the real program. etcd was compacted before the program started, so that the
 * history has a beginning.
 */
final class ScenarioCluster implements AutoCloseable {
    private static final AtomicInteger SPACES = new AtomicInteger();

    private final Path folder;
    private final TestEtcd etcd;
    private final TidemarkProcess tidemark;
    private final long compacted;

    private ScenarioCluster(Path folder, TestEtcd etcd, TidemarkProcess tidemark, long compacted) {
        this.folder = folder;
        this.etcd = etcd;
        this.tidemark = tidemark;
        this.compacted = compacted;
    }

    /**
     * @param options of the program, besides the addresses
     */
    static ScenarioCluster start(String... options) {
        try {
            Path folder = Files.createTempDirectory("tidemark-scenarios");
            TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = etcd.putConfigMap("before", "map-" + i, "first");
            }
            etcd.client().compact(last, true);
            TidemarkProcess tidemark =
                    TidemarkProcess.up(folder.resolve("data"), etcd.endpoint(), options);
            return new ScenarioCluster(folder, etcd, tidemark, last);
        } catch (Exception e) {
            throw new IllegalStateException("no cluster for the scenarios", e);
        }
    }

    TestEtcd etcd() {
        return etcd;
    }

    TidemarkProcess tidemark() {
        return tidemark;
    }

    Api api() {
        return tidemark.api();
    }

    /** A list or an object that must be there. */
    JsonNode read(String path) throws Exception {
        return api().list(path);
    }

    /** A compacted revision. */
    long tooOld() {
        return compacted - 1;
    }

    /** etcd's own revision now. */
    long revision() {
        return etcd.client().revision(Bytes.utf8("/registry/"));
    }

    /** A write outside all scenarios. */
    long elsewhere() {
        return etcd.putConfigMap("elsewhere", "map", "x" + SPACES.incrementAndGet());
    }

    /** A prefix of names that no other scenario uses. */
    static String space() {
        return "s" + SPACES.incrementAndGet();
    }

    @Override
    public void close() {
        try {
            tidemark.close();
            etcd.close();
            List<Path> paths;
            try (Stream<Path> all = Files.walk(folder)) {
                paths = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : paths) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
