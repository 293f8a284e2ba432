package io.tidemark.query.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupReaderTest {
    private static final int OBJECTS = 700;
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));
    private static final PageLimits PAGE = new PageLimits(50, 64 << 10);

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(3), FanOut.SEQUENTIAL);
    private final ByteBudget budget = new ByteBudget(64 << 20, 64 << 20);
    @AutoClose private final Compression compression = new Compression(false, 16 << 20);
    private final List<Projection> begun = new ArrayList<>();
    private ByteBudget.Share memory;
    private ReadAllowance allowance;
    private ReadPoint at;

    @BeforeEach
    void pods() {
        Random random = new Random(5);
        for (int i = 0; i < OBJECTS; i++) {
            String name = "pod-%05d".formatted(i);
            int length = 1_000 + random.nextInt(3_000);
            cluster.put(
                    "/registry/pods/n%d/%s".formatted(i % 7, name),
                    revision ->
                            """
                            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"n",\
                            "resourceVersion":"%d"},"text":"%s"}\
                            """
                                    .formatted(name, revision, "x".repeat(length)));
        }
        at = new ReadPoint(PartitionSet.of(PODS, 4), 1, cluster.revision(), 0);
        memory = budget.share("client");
        allowance = ReadAllowance.of(memory, () -> true, () -> {}, Duration.ofMinutes(1));
    }

    private MergedScan begin(Projection projection, Bytes from) {
        begun.add(projection);
        return view.scan(PODS, Selection.OBJECTS, from, at, PAGE, projection, allowance);
    }

    private List<StoredObject> all() throws InterruptedException {
        List<StoredObject> all = new ArrayList<>();
        MergedScan scan =
                view.scan(PODS, Selection.OBJECTS, Bytes.EMPTY, at, PAGE, Projection.WHOLE);
        for (StoredObject object = scan.next(); object != null; object = scan.next()) {
            all.add(object);
        }
        return all;
    }

    /** Remembers what it gets. */
    private static final class Taken implements GroupReader.Taker {
        private final Predicate<Integer> known;
        private final int most;
        private final List<Bytes> keys = new ArrayList<>();
        private final List<StoredObject> objects = new ArrayList<>();
        private final List<List<StoredObject>> groups = new ArrayList<>();
        private long expected = -1;

        /**
         * @param known whether it has the group of a number
         * @param most how many objects it needs
         */
        Taken(Predicate<Integer> known, int most) {
            this.known = known;
            this.most = most;
        }

        @Override
        public void expect(long atLeast) {
            assertThat(groups).isEmpty();
            expected = atLeast;
        }

        @Override
        public boolean copy(ObjectGroup group) {
            groups.add(List.copyOf(group.objects()));
            boolean copied = known.test(groups.size() - 1);
            if (copied) {
                group.objects().forEach(each -> keys.add(each.key()));
            }
            return copied;
        }

        @Override
        public void take(StoredObject object) {
            objects.add(object);
            keys.add(object.key());
        }

        @Override
        public boolean isFull() {
            return keys.size() >= most;
        }
    }

    private Taken read(Predicate<Integer> known, ObjectScans scans) throws Exception {
        Taken taken = new Taken(known, Integer.MAX_VALUE);
        assertThat(new GroupReader(scans, Projection.WHOLE).read(taken)).isEqualTo(OBJECTS);
        assertThat(taken.keys).isEqualTo(all().stream().map(StoredObject::key).toList());
        assertThat(taken.expected).isGreaterThanOrEqualTo(GroupReader.AHEAD);
        assertThat(budget.held()).isZero();
        return taken;
    }

    @Test
    void announcesTheLengthOfAShortResponse() throws Exception {
        KeyScope one = KeyScope.prefix(Bytes.utf8("/registry/pods/n0/pod-0000"));
        List<StoredObject> few = new ArrayList<>();
        ObjectScans scans =
                (projection, from) ->
                        view.scan(one, Selection.OBJECTS, from, at, PAGE, projection, allowance);
        MergedScan scan = scans.begin(Projection.WHOLE);
        for (StoredObject object = scan.next(); object != null; object = scan.next()) {
            few.add(object);
            scan.release(object);
        }
        Taken taken = new Taken(_ -> false, Integer.MAX_VALUE);
        long read = new GroupReader(scans, Projection.WHOLE).read(taken);
        assertThat(few).isNotEmpty();
        assertThat(read).isEqualTo(few.size());
        assertThat(taken.objects).isEqualTo(few);
        assertThat(taken.expected)
                .isEqualTo(few.stream().mapToLong(each -> each.stored().length).sum());
    }

    @Test
    void readsNoObjectOfAKnownGroup() throws Exception {
        Taken taken = read(_ -> true, this::begin);
        assertThat(taken.groups).hasSizeGreaterThan(10);
        assertThat(begun).containsExactly(Projection.CHECKSUM);
    }

    @Test
    void readsEachObjectOnceWhenNothingIsKnown() throws Exception {
        assertThat(read(_ -> false, this::begin).objects).isEqualTo(all());
        assertThat(begun).containsExactly(Projection.CHECKSUM, Projection.WHOLE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsTheObjectsOfOtherGroups(long seed) throws Exception {
        Random random = new Random(seed);
        int share = random.nextInt(1, 6);
        Taken taken = read(_ -> random.nextInt(6) < share, this::begin);
        assertThat(all()).containsAll(taken.objects);
    }

    @Test
    void skipsManyKnownGroupsWithAnotherScan() throws Exception {
        int groups = read(_ -> true, this::begin).groups.size();
        begun.clear();
        read(group -> group != 0 && group != groups - 1, this::begin);
        assertThat(begun).containsExactly(Projection.CHECKSUM, Projection.WHOLE, Projection.WHOLE);
    }

    @Test
    void passesOverAFewKnownGroupsWithTheSameScan() throws Exception {
        read(group -> group == 3 || group == 5, this::begin);
        assertThat(begun).containsExactly(Projection.CHECKSUM, Projection.WHOLE);
    }

    @Test
    void endsWhenNoMoreIsNeeded() throws Exception {
        for (boolean known : new boolean[] {false, true}) {
            Taken taken = new Taken(_ -> known, 100);
            long read = new GroupReader(this::begin, Projection.WHOLE).read(taken);
            assertThat(read).isBetween(100L, 200L);
            assertThat(budget.held()).isZero();
        }
    }

    /** By checksums it finds what was compressed when the objects were read. */
    @Test
    void groupsAreKnownByTheirChecksums() throws Exception {
        List<GzipPiece> made = new ArrayList<>();
        ObjectGroup group = new ObjectGroup();
        for (StoredObject object : all()) {
            if (group.add(object, true)) {
                made.add(group.take(compression.shared(), "form", _ -> new byte[10]));
            }
        }
        List<GzipPiece> found = new ArrayList<>();
        GroupReader.Taker finding =
                new GroupReader.Taker() {
                    @Override
                    public boolean copy(ObjectGroup each) {
                        each.find(compression.shared(), "form").ifPresent(found::add);
                        assertThat(each.find(compression.shared(), "other form")).isEmpty();
                        return true;
                    }

                    @Override
                    public void take(StoredObject object) {}
                };
        var unused = new GroupReader(this::begin, Projection.WHOLE).read(finding);
        assertThat(found).isEqualTo(made);
    }

    /** As of a node of an older release, which does not know checksums. */
    @Test
    void wholeObjectsAnswerForTheirChecksums() throws Exception {
        List<List<StoredObject>> groups = read(_ -> true, this::begin).groups;
        ObjectScans older = (_, from) -> begin(Projection.WHOLE, from);
        List<List<StoredObject>> same = read(_ -> true, older).groups;
        assertThat(same.stream().map(List::size))
                .isEqualTo(groups.stream().map(List::size).toList());
    }
}
