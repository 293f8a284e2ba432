package io.tidemark.benchmarks;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
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

/**
 * A watch that catches up from the history, in events per second: all events, against those of one
 * namespace in twenty, where the other nineteen cost only a read of the history.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ReplayBenchmark {
    private static final int PODS = 2_000;
    private static final int EVENTS = 20_000;
    private static final int PADDING = 1_000;

    private BenchmarkStore folder;
    private PartitionView view;
    private long listed;

    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = new BenchmarkStore(PODS, PADDING);
        view = folder.store.view();
        listed = folder.revision();
        for (int event = 0; event < EVENTS; event++) {
            folder.update(event % PODS, PADDING);
        }
        folder.mark();
        folder.store.flush();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        folder.close();
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public int everything() {
        return replay("/registry/pods/");
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public int oneNamespace() {
        return replay("/registry/pods/ns-07/");
    }

    private int replay(String prefix) {
        int count = 0;
        ChangePosition after = ChangePosition.endOf(listed);
        while (after.wholeRevision() < folder.revision()) {
            ChangesRequest request =
                    new ChangesRequest(
                            Bytes.utf8(prefix),
                            after,
                            folder.revision(),
                            1_000,
                            1 << 20,
                            Projection.WHOLE);
            if (!(view.read(request) instanceof ReadOutcome.Served<ChangePage>(ChangePage page))) {
                throw new IllegalStateException("not served after " + after);
            }
            count += page.changes().size();
            after = page.through();
        }
        return count;
    }
}
