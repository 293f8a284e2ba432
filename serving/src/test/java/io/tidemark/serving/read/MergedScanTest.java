package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MergedScanTest {
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));
    private static final PageLimits SMALL = new PageLimits(2, 1 << 20);

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofMillis(100), FanOut.SEQUENTIAL);
    private final List<String> keys = new ArrayList<>();

    @BeforeEach
    void pods() {
        for (String namespace : List.of("a", "b", "c", "d", "e", "f")) {
            for (int i = 0; i < 5; i++) {
                cluster.pod(namespace, "p" + i, Map.of("app", "x" + i), "n" + i);
                keys.add(MirroredCluster.podKey(namespace, "p" + i).toString());
            }
        }
    }

    @Test
    void mergesThePagesOfAllPartitionsByKey() throws Exception {
        MergedScan scan = scan(PODS, Selection.OBJECTS, Bytes.EMPTY);
        assertThat(rest(scan)).isEqualTo(keys);
        assertThat(scan.keysScanned()).isEqualTo(30);
        assertThat(scan.accessPath()).isEqualTo(MergedScan.SCANNED);
    }

    @Test
    void readsLittleOfThePartitionsWhoseKeysComeLast() throws Exception {
        MergedScan scan =
                view.scan(
                        PODS,
                        Selection.OBJECTS,
                        Bytes.EMPTY,
                        at(),
                        new PageLimits(1000, 4 << 10),
                        Projection.WHOLE);
        assertThat(scan.hasNext()).isTrue();
        assertThat(scan.keysScanned()).as("one of each partition").isLessThanOrEqualTo(4);
        MergedScan large =
                view.scan(
                        PODS,
                        Selection.OBJECTS,
                        Bytes.EMPTY,
                        at(),
                        new PageLimits(1000, 1 << 20),
                        Projection.WHOLE);
        assertThat(rest(large)).isEqualTo(keys);
    }

    @Test
    void startsAtAKeyInclusively() throws Exception {
        Bytes from = MirroredCluster.podKey("c", "p3");
        assertThat(rest(scan(PODS, Selection.OBJECTS, from))).isEqualTo(keys.subList(13, 30));
    }

    @Test
    void selectsWithAnIndex() throws Exception {
        MergedScan scan = scan(PODS, in(Source.FIELD, "spec.nodeName", "n3"), Bytes.EMPTY);
        assertThat(rest(scan)).hasSize(6).allMatch(key -> key.endsWith("p3"));
        assertThat(scan.accessPath()).isEqualTo("f:spec.nodeName");
    }

    @Test
    void readsOneKeyWithoutAScan() throws Exception {
        Bytes key = MirroredCluster.podKey("c", "p3");
        KeyScope one = KeyScope.exact(key);
        MergedScan scan = scan(one, in(Source.LABEL, "app", "x3"), key);
        assertThat(rest(scan)).containsExactly(key.toString());
        assertThat(scan.accessPath()).isEqualTo(MergedScan.BY_KEY);
        assertThat(scan.keysScanned()).isEqualTo(1);
        assertThat(rest(scan(one, in(Source.LABEL, "app", "x4"), key))).isEmpty();
        assertThat(rest(scan(one, Selection.OBJECTS, key.successor()))).isEmpty();
    }

    @Test
    void selectsOneKeyByAFieldThatIsNotInItsMetadata() throws Exception {
        Bytes key = MirroredCluster.podKey("c", "p3");
        ReadPoint at =
                new ReadPoint(PartitionSet.of(KeyScope.exact(key), 4), 1, cluster.revision(), 0);
        Selection unset = in(Source.FIELD, "spec.note", "");
        MergedScan scan =
                view.scan(KeyScope.exact(key), unset, Bytes.EMPTY, at, SMALL, Projection.METADATA);
        assertThat(rest(scan)).containsExactly(key.toString());
    }

    @Test
    void hidesSecrets() throws Exception {
        cluster.put(
                "/registry/secrets/a/s",
                at ->
                        "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"%d\"}}".formatted(at));
        SecretFilter hiding =
                new SecretFilter(new SecretKeys(List.of(Bytes.utf8("/registry/"))), false);
        ClusterView hidden =
                new ClusterView(cluster, Duration.ofMillis(100), FanOut.SEQUENTIAL, hiding);
        KeyScope everything = KeyScope.prefix(Bytes.utf8("/registry/"));
        assertThat(rest(scan(everything, Selection.ALL, Bytes.EMPTY)))
                .hasSize(31)
                .contains("/registry/secrets/a/s");
        assertThat(rest(hidden.scan(everything, Selection.ALL, Bytes.EMPTY, at(), SMALL)))
                .isEqualTo(keys);
    }

    @Test
    void booksWhatItHoldsUntilItIsReleased() throws Exception {
        ByteBudget budget = new ByteBudget(1 << 20, 1 << 20);
        MergedScan scan = scan(budget, Duration.ofHours(1));
        List<StoredObject> taken = new ArrayList<>();
        for (StoredObject next = scan.next(); next != null; next = scan.next()) {
            taken.add(next);
        }
        assertThat(budget.held()).isEqualTo(taken.stream().mapToLong(MergedScan::bytesHeld).sum());
        StoredObject first = taken.getFirst();
        assertThat(MergedScan.bytesHeld(first))
                .isEqualTo(first.stored().length + first.key().length() + 128);
        taken.forEach(scan::release);
        assertThat(budget.held()).isZero();
    }

    @Test
    void stopsBeforeTheNextPageWhenItHasReadForTooLong() throws Exception {
        MergedScan scan = scan(new ByteBudget(1 << 20, 1 << 20), Duration.ZERO);
        assertThat(scan.hasNext()).as("the first page").isTrue();
        assertThatThrownBy(() -> rest(scan))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(504));
    }

    @Test
    void booksNothingForAPageThatIsRefused() {
        ByteBudget budget = new ByteBudget(1 << 20, 1 << 20);
        ReadPoint below = new ReadPoint(new PartitionSet(0, 4), 1, 99, 0);
        MergedScan scan = scan(budget, Duration.ofHours(1), below);
        assertThatThrownBy(scan::next).isInstanceOf(RevisionExpiredException.class);
        assertThat(budget.held()).isZero();
    }

    /** Values that are no objects may be Secrets, which this node hides. */
    @Test
    void readsOnlyTheFirstPageTwiceWhereValuesDecide() throws Exception {
        List<Projection> asked = new ArrayList<>();
        LonePartition raw =
                new LonePartition() {
                    @Override
                    public PartitionState state() {
                        return new PartitionState(true, 1, 1, 1, 10, 10, 0, 0, 0, "");
                    }

                    @Override
                    protected ReadOutcome<?> answer(ReadRequest<?> request) {
                        ScanRequest scan = (ScanRequest) request;
                        asked.add(scan.projection());
                        boolean end = scan.fromKeyInclusive().utf8().equals("/app/c");
                        StoredObject whole =
                                StoredObjects.raw(end ? "/app/c" : "/app/b", 10, "{}", "");
                        boolean metadata = scan.projection() == Projection.METADATA;
                        return new ReadOutcome.Served<>(
                                new ScanPage(
                                        List.of(metadata ? whole.metadataOnly() : whole),
                                        end
                                                ? Optional.empty()
                                                : Optional.of(Bytes.utf8("/app/c"))));
                    }
                };
        ClusterView hiding =
                new ClusterView(
                        raw,
                        Duration.ofMillis(100),
                        FanOut.SEQUENTIAL,
                        new SecretFilter(new SecretKeys(List.of()), false));
        ReadPoint at = new ReadPoint(new PartitionSet(0, 1), 1, 10, 0);
        KeyScope scope = KeyScope.prefix(Bytes.utf8("/app/"));
        assertThat(
                        rest(
                                hiding.scan(
                                        scope,
                                        Selection.ALL,
                                        Bytes.EMPTY,
                                        at,
                                        SMALL,
                                        Projection.METADATA)))
                .containsExactly("/app/b", "/app/c");
        assertThat(asked).containsExactly(Projection.METADATA, Projection.WHOLE, Projection.WHOLE);
    }

    private MergedScan scan(ByteBudget budget, Duration longest) {
        return scan(budget, longest, at());
    }

    private MergedScan scan(ByteBudget budget, Duration longest, ReadPoint at) {
        ReadAllowance allowance =
                ReadAllowance.of(budget.share("me"), () -> false, () -> {}, longest);
        return view.scan(
                PODS, Selection.OBJECTS, Bytes.EMPTY, at, SMALL, Projection.WHOLE, allowance);
    }

    private MergedScan scan(KeyScope scope, Selection selection, Bytes from) {
        ReadPoint at =
                new ReadPoint(
                        PartitionSet.of(scope, cluster.partitions()), 1, cluster.revision(), 0);
        return view.scan(scope, selection, from, at, SMALL);
    }

    private ReadPoint at() {
        return new ReadPoint(new PartitionSet(0, 4), 1, cluster.revision(), 0);
    }

    private static Selection in(Source source, String name, String value) {
        return new Selection(
                true, List.of(new Requirement(source, name, Operator.IN, Set.of(value))));
    }

    private static List<String> rest(MergedScan scan) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        while (scan.hasNext()) {
            StoredObject next = scan.next();
            keys.add(next == null ? "" : next.key().toString());
        }
        assertThat(scan.next()).isNull();
        return keys;
    }
}
