package io.tidemark.query.http.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which lists read checksums before objects. */
class ListWriterTest {
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));
    private static final Optional<Object> LIST = Optional.of("pods");

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(3), FanOut.SEQUENTIAL);
    @AutoClose private final Compression compression = new Compression(false, 16 << 20);
    private final List<Projection> begun = new ArrayList<>();
    private boolean heldBack;
    private boolean copies = true;

    @BeforeEach
    void pods() {
        for (int i = 0; i < 10; i++) {
            cluster.pod("a", "pod-" + i, Map.of(), "n1");
        }
    }

    private List<Projection> write(Optional<Object> list) throws Exception {
        begun.clear();
        ReadPoint at = new ReadPoint(PartitionSet.of(PODS, 2), 1, cluster.revision(), 0);
        long objects =
                ListWriter.writeAll(
                        new Counting(),
                        new ListMeta("1", "", 0, ""),
                        list,
                        (projection, from) -> begin(at, projection, from),
                        new Body());
        assertThat(objects).isEqualTo(10);
        return begun;
    }

    private MergedScan begin(ReadPoint at, Projection projection, Bytes from) {
        begun.add(projection);
        return view.scan(
                PODS, Selection.OBJECTS, from, at, new PageLimits(100, 1 << 20), projection);
    }

    /** Has each group. */
    private final class Counting implements ListEncoder {
        @Override
        public void start(ListMeta meta, PieceOutput out) {}

        @Override
        public void item(StoredObject object, PieceOutput out) {}

        @Override
        public boolean copiesGroups(PieceOutput out) {
            return copies;
        }

        @Override
        public boolean copy(ObjectGroup group, PieceOutput out) {
            return true;
        }

        @Override
        public void end(PieceOutput out) {}
    }

    private final class Body extends PieceOutput {
        @Override
        public Optional<SharedPieces> shared() {
            return Optional.of(compression.shared());
        }

        @Override
        public boolean isHeldBack(long more) {
            return heldBack;
        }

        @Override
        public void write(GzipPiece piece) {}

        @Override
        public void write(int single) {}
    }

    @Test
    void aListReadsChecksumsOnceTheLastOneWasLong() throws Exception {
        assertThat(write(LIST)).containsExactly(Projection.WHOLE);
        assertThat(write(LIST)).containsExactly(Projection.CHECKSUM);
        assertThat(write(Optional.of("others"))).containsExactly(Projection.WHOLE);
        heldBack = true;
        assertThat(write(LIST)).containsExactly(Projection.CHECKSUM);
        assertThat(write(LIST)).as("the last one was short").containsExactly(Projection.WHOLE);
    }

    @Test
    void aSelectionReadsObjectsOnly() throws Exception {
        assertThat(write(Optional.empty())).containsExactly(Projection.WHOLE);
        assertThat(write(Optional.empty())).containsExactly(Projection.WHOLE);
    }

    @Test
    void aFormWithoutGroupsReadsObjectsOnly() throws Exception {
        copies = false;
        assertThat(write(LIST)).containsExactly(Projection.WHOLE);
        assertThat(write(LIST)).containsExactly(Projection.WHOLE);
    }
}
