package io.tidemark.benchmarks;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
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
 * A LIST in the store, in objects per second: at the newest revision, against one that is a
 * thousand changes older; and one node's pods through the index, against a selector without an
 * index.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ScanBenchmark {
    private static final int PODS = 10_000;
    private static final int PADDING = 10_000;
    private static final int CHANGED = 1_000;
    private static final Bytes PREFIX = Bytes.utf8("/registry/pods/");

    private BenchmarkStore folder;
    private PartitionView view;
    private long listed;

    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = new BenchmarkStore(PODS, PADDING);
        view = folder.store.view();
        listed = folder.revision();
        for (int pod = 0; pod < CHANGED; pod++) {
            folder.update(pod, PADDING);
        }
        folder.mark();
        folder.store.flush();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        folder.close();
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public int newest() {
        return count(folder.revision(), Selection.OBJECTS);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public int atOldRevision() {
        return count(listed, Selection.OBJECTS);
    }

    @Benchmark
    public int oneNodeThroughTheIndex() {
        return count(folder.revision(), on(Source.FIELD, "spec.nodeName", "node-7"));
    }

    @Benchmark
    public int oneAppWithoutAnIndex() {
        return count(folder.revision(), on(Source.LABEL, "app", "app-7"));
    }

    private static Selection on(Source source, String name, String value) {
        return new Selection(
                true, List.of(new Requirement(source, name, Operator.IN, Set.of(value))));
    }

    private int count(long revision, Selection selection) {
        int count = 0;
        Bytes from = Bytes.EMPTY;
        while (true) {
            ScanRequest request = new ScanRequest(PREFIX, from, revision, selection, 500, 1 << 20);
            if (!(view.read(request) instanceof ReadOutcome.Served<ScanPage>(ScanPage page))) {
                throw new IllegalStateException("not served at " + revision);
            }
            count += page.objects().size();
            if (page.nextKey().isEmpty()) {
                return count;
            }
            from = page.nextKey().get();
        }
    }
}
