package io.tidemark.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Applies changes to a store: one mark per batch of a hundred, against one mark per change. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ApplyBenchmark {
    private static final int CHANGES = 100;
    private static final int PODS = 10_000;
    private static final int PADDING = 1_000;

    private BenchmarkStore folder;
    private int next;

    @Setup(Level.Iteration)
    public void open() throws IOException {
        folder = new BenchmarkStore(PODS, PADDING);
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        folder.close();
    }

    @Benchmark
    @OperationsPerInvocation(CHANGES)
    public void oneMarkPerBatch() {
        for (int i = 0; i < CHANGES; i++) {
            folder.update(next++ % PODS, PADDING);
        }
        folder.mark();
    }

    @Benchmark
    @OperationsPerInvocation(CHANGES)
    public void oneMarkPerChange() {
        for (int i = 0; i < CHANGES; i++) {
            folder.update(next++ % PODS, PADDING);
            folder.mark();
        }
    }
}
