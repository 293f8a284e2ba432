package io.tidemark.benchmarks;

import io.tidemark.record.Bytes;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of running a read on a platform thread of the gate while a virtual thread waits for it:
 * a GET and a LIST page from the cache, in microseconds in total, for one reader and for many.
 * {@code permits} is the previous design: reads run on the reader's thread, limited to one per
 * core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ReadGateBenchmark {
    private static final int PODS = 2_000;
    private static final int READS = 640;
    private static final Bytes PREFIX = Bytes.utf8("/registry/pods/");

    @Param({"permits", "threads"})
    private String gate;

    @Param({"1", "64"})
    private int readers;

    private ReadThreads threads;
    private BenchmarkStore folder;
    private PartitionView view;
    private Bytes key;

    @Setup(Level.Trial)
    public void open() throws IOException {
        threads = ReadThreads.start();
        folder =
                new BenchmarkStore(
                        PODS, 2_000, false, gate.equals("threads") ? threads : new Permits());
        folder.store.flush();
        view = folder.store.view();
        key = Samples.put(7, 8, 8, true, Samples.pod(7, 8, 0)).key();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        folder.close();
        threads.close();
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void get() throws InterruptedException {
        read(() -> view.read(new GetRequest(key, folder.revision())));
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void page() throws InterruptedException {
        ScanRequest request =
                new ScanRequest(
                        PREFIX, Bytes.EMPTY, folder.revision(), Selection.OBJECTS, 200, 1 << 20);
        read(() -> view.read(request));
    }

    private void read(Supplier<ReadOutcome<?>> read) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            all.add(Thread.ofVirtual().start(() -> readOften(read)));
        }
        for (Thread each : all) {
            each.join();
        }
    }

    private void readOften(Supplier<ReadOutcome<?>> read) {
        for (int i = 0; i < READS / readers; i++) {
            if (!(read.get() instanceof ReadOutcome.Served<?>)) {
                throw new IllegalStateException("not served");
            }
        }
    }

    /** The previous gate. */
    private static final class Permits implements ReadExecutor {
        private final Semaphore permits = new Semaphore(Runtime.getRuntime().availableProcessors());

        @Override
        public <T> T pass(Kind kind, Supplier<T> read) {
            permits.acquireUninterruptibly();
            try {
                return read.get();
            } finally {
                permits.release();
            }
        }
    }
}
