package io.tidemark.benchmarks;

import io.tidemark.serving.read.RevisionMerge;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/** Orders the changes of eight partitions by revision: a merge, against a sort of all. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class MergeBenchmark {
    private static final int PARTITIONS = 8;
    private static final int CHANGES = 8_000;

    @Param({"1", "100"})
    public int changesPerRevision;

    private final List<ChangePage> pages = new ArrayList<>();

    @Setup(Level.Trial)
    public void fill() {
        long last = CHANGES / changesPerRevision;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<ObjectChange> changes = new ArrayList<>();
            for (int i = partition; i < CHANGES; i += PARTITIONS) {
                long revision = 1 + i / changesPerRevision;
                int index = i % changesPerRevision;
                changes.add(new ObjectChange(revision, index, Samples.podKey(i), null, null));
            }
            pages.add(new ChangePage(changes, last));
        }
    }

    @Benchmark
    @OperationsPerInvocation(CHANGES)
    public List<ObjectChange> merged() {
        RevisionMerge merge = new RevisionMerge(PARTITIONS, 0);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            merge.add(partition, pages.get(partition));
        }
        return merge.drain();
    }

    @Benchmark
    @OperationsPerInvocation(CHANGES)
    public List<ObjectChange> sorted() {
        List<ObjectChange> all = new ArrayList<>(CHANGES);
        for (ChangePage page : pages) {
            all.addAll(page.changes());
        }
        all.sort(
                Comparator.comparingLong(ObjectChange::revision)
                        .thenComparingInt(ObjectChange::index));
        return all;
    }
}
