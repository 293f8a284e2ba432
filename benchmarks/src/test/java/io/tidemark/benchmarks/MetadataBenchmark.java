package io.tidemark.benchmarks;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.InstantSource;
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
 * A metadata-only LIST, from the store to the response's bytes, in pods per second: read from the
 * separately stored metadata, against cut out of whole pods of 10.75 KB; each also with a selector
 * on a label without an index.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class MetadataBenchmark {
    private static final int PODS = 10_000;
    private static final int PADDING = 8_700;
    private static final int CHANGED = 1_000;
    private static final Bytes PREFIX = Bytes.utf8("/registry/pods/");
    private static final Selection ONE_APP =
            new Selection(
                    true,
                    List.of(new Requirement(Source.LABEL, "app", Operator.IN, Set.of("app-7"))));

    private final Resource resource =
            BuiltInResources.under(Bytes.utf8("/registry/")).stream()
                    .filter(each -> each.qualifiedName().equals("pods"))
                    .findFirst()
                    .orElseThrow();
    private final Representation representation =
            Representation.negotiate(
                    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                    "",
                    false,
                    resource,
                    Shape.LIST);

    private BenchmarkStore folder;
    private PartitionView view;
    private long listed;

    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = new BenchmarkStore(PODS, PADDING, true);
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
    public long fromMetadataFamily() throws IOException {
        return list(folder.revision(), Selection.OBJECTS, Projection.METADATA);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public long fromWholeObjects() throws IOException {
        return list(folder.revision(), Selection.OBJECTS, Projection.WHOLE);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public long fromMetadataFamilyAtOldRevision() throws IOException {
        return list(listed, Selection.OBJECTS, Projection.METADATA);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public long fromWholeObjectsAtOldRevision() throws IOException {
        return list(listed, Selection.OBJECTS, Projection.WHOLE);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public long oneAppFromMetadataFamily() throws IOException {
        return list(folder.revision(), ONE_APP, Projection.METADATA);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public long oneAppFromWholeObjects() throws IOException {
        return list(folder.revision(), ONE_APP, Projection.WHOLE);
    }

    private long list(long revision, Selection selection, Projection projection)
            throws IOException {
        Renderer renderer = representation.renderer(resource, InstantSource.system());
        long bytes = renderer.listStart(new ListMeta(Long.toString(revision), "", 0)).length;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Bytes from = Bytes.EMPTY;
        while (true) {
            ScanRequest request =
                    new ScanRequest(PREFIX, from, revision, selection, 500, 1 << 20, projection);
            if (!(view.read(request) instanceof ReadOutcome.Served<ScanPage>(ScanPage page))) {
                throw new IllegalStateException("not served at " + revision);
            }
            for (StoredObject object : page.objects()) {
                out.reset();
                renderer.listItem(object, out);
                bytes += out.size();
            }
            if (page.nextKey().isEmpty()) {
                return bytes + renderer.listEnd().length;
            }
            from = page.nextKey().get();
        }
    }
}
