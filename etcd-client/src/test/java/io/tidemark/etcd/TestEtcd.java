package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.etcd.EtcdUnavailableException;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real etcd for a test, and a client to it. */
final class TestEtcd implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final EtcdProcess process;
    private final EtcdClient client;

    private TestEtcd(EtcdProcess process) {
        this.process = process;
        client = new EtcdClient(options());
    }

    static TestEtcd start(Path folder) throws IOException {
        return start(EtcdSettings.forTests(folder));
    }

    static TestEtcd start(EtcdSettings settings) throws IOException {
        try {
            return new TestEtcd(EtcdProcess.start(EtcdBinary.find(), settings));
        } catch (EtcdUnavailableException none) {
            throw new IOException(none);
        }
    }

    EtcdClient client() {
        return client;
    }

    EtcdProcess process() {
        return process;
    }

    EtcdOptions options() {
        return EtcdOptions.of(process.endpoint())
                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    static Bytes utf8(String text) {
        return Bytes.utf8(text);
    }

    /** The next event; fails on timeout. */
    static WatchEvent next(EtcdWatch watch) throws InterruptedException {
        return watch.next(PATIENCE)
                .orElseThrow(() -> new AssertionError("no event within " + PATIENCE));
    }

    /** Reads until this many changes have arrived, skipping other events. */
    static List<KeyChange> changes(EtcdWatch watch, int count) throws InterruptedException {
        List<KeyChange> changes = new ArrayList<>();
        while (changes.size() < count) {
            switch (next(watch)) {
                case WatchEvent.Changes more -> changes.addAll(more.changes());
                case WatchEvent.End end -> throw new AssertionError("the watch ended: " + end);
                case WatchEvent.Created _, WatchEvent.Progress _ -> {}
            }
        }
        return changes;
    }

    /** Requests progress until a notification reaches {@code revision}. */
    static long progress(EtcdWatch watch, long revision) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            watch.requestProgress();
            if (watch.next(Duration.ofMillis(100)).orElse(null)
                            instanceof WatchEvent.Progress(long reported)
                    && reported >= revision) {
                return reported;
            }
        }
        throw new AssertionError("no progress to " + revision);
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }
}
