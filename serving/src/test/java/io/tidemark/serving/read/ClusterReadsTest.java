package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.UnreadablePage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads over the partitions of a whole cluster. */
class ClusterReadsTest {
    private static final PartitionSet ALL = new PartitionSet(0, 4);
    private static final KeyScope REGISTRY = KeyScope.prefix(Bytes.utf8("/registry/"));
    private static final Bytes SECRET = Bytes.utf8("/registry/secrets/a/s");

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(30), FanOut.SEQUENTIAL);
    private final ClusterView hiding =
            new ClusterView(
                    cluster,
                    Duration.ofSeconds(30),
                    FanOut.SEQUENTIAL,
                    new SecretFilter(new SecretKeys(List.of(Bytes.utf8("/registry/"))), false));

    @Test
    void refusesARevisionBelowTheFloor() {
        cluster.pod("a", "p", Map.of());
        Bytes key = MirroredCluster.podKey("a", "p");
        PartitionSet partition = PartitionSet.of(KeyScope.exact(key), 4);
        assertThatThrownBy(() -> view.get(key, new ReadPoint(partition, 1, 99, 0)))
                .isInstanceOfSatisfying(
                        RevisionExpiredException.class,
                        expired -> {
                            assertThat(expired.floor()).isEqualTo(100);
                            assertThat(expired.replacement()).isEmpty();
                        });
    }

    @Test
    void listsTheFirstUnreadableKeysOfAllPartitions() throws Exception {
        for (String key : List.of("/registry/x/c/1", "/registry/x/a/2", "/registry/x/a/1")) {
            cluster.raw(Bytes.utf8(key), new byte[] {1}, "broken");
        }
        assertThat(keys(view.unreadable(ALL, REGISTRY, 3)))
                .containsExactly("/registry/x/a/1", "/registry/x/a/2", "/registry/x/c/1");
        assertThat(view.unreadable(ALL, REGISTRY, 3).more()).isFalse();
        assertThat(keys(view.unreadable(ALL, REGISTRY, 2)))
                .containsExactly("/registry/x/a/1", "/registry/x/a/2");
        assertThat(view.unreadable(ALL, REGISTRY, 2).more()).isTrue();

        KeyScope one = KeyScope.directory(Bytes.utf8("/registry/x/a/"));
        UnreadablePage first = view.unreadable(PartitionSet.of(one, 4), one, 1);
        assertThat(keys(first)).containsExactly("/registry/x/a/1");
        assertThat(first.more()).as("in the same partition").isTrue();
        assertThat(keys(view.unreadable(ALL, KeyScope.directory(Bytes.utf8("/registry/")), 3)))
                .as("of the scope only")
                .isEmpty();
    }

    @Test
    void hidesSecretsThatAreUnreadable() throws Exception {
        cluster.raw(SECRET, new byte[] {1}, "broken");
        assertThat(keys(view.unreadable(ALL, REGISTRY, 3))).containsExactly(SECRET.toString());
        assertThat(keys(hiding.unreadable(ALL, REGISTRY, 3))).isEmpty();
    }

    @Test
    void hidesTheValuesChangesAndVersionsOfSecrets() throws Exception {
        long revision =
                cluster.put(
                        SECRET.utf8(),
                        at ->
                                "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":"
                                        + "{\"resourceVersion\":\"%d\"}}".formatted(at));
        KeyScope scope = KeyScope.exact(SECRET);
        assertThat(view.hides(scope)).isFalse();
        assertThat(hiding.hides(scope)).isTrue();
        ReadPoint at = new ReadPoint(PartitionSet.of(scope, 4), 1, revision, 0);
        assertThat(view.get(SECRET, at).orElseThrow().isWithheld()).isFalse();
        assertThat(hiding.get(SECRET, at).orElseThrow().isWithheld()).isTrue();

        PageLimits page = new PageLimits(10, 1 << 20);
        assertThat(view.changes(ALL, Bytes.EMPTY, 1, 100, page).next(revision).changes())
                .hasSize(1);
        assertThat(hiding.changes(ALL, Bytes.EMPTY, 1, 100, page).next(revision).changes())
                .isEmpty();
        assertThat(hiding.versions(SECRET, at, 100, revision, page).versions())
                .extracting(KeyVersion::object)
                .hasSize(1)
                .allMatch(object -> object.isWithheld());
    }

    /** The parts of an object do not always have what makes it a Secret. */
    @Test
    void hidesSecretsThatOnlyTheirValuesShowAlsoFromReadsOfMetadata() throws Exception {
        String secret = "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}";
        cluster.raw(Bytes.utf8("/other/a"), secret.getBytes(StandardCharsets.UTF_8), "");
        cluster.put(
                "/other/b",
                at ->
                        ("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":"
                                        + "{\"resourceVersion\":\"%d\"},\"items\":[%s]}")
                                .formatted(at, secret));
        cluster.raw(Bytes.utf8("/other/c"), new byte[] {1}, "");
        cluster.put(
                "/other/d",
                at ->
                        ("{\"k\\u0069nd\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":"
                                        + "{\"resourceVersion\":\"%d\"}}")
                                .formatted(at));
        cluster.pod("a", "p", Map.of());
        long revision = cluster.revision();
        ReadPoint at = new ReadPoint(ALL, 1, revision, 0);
        PageLimits page = new PageLimits(10, 1 << 20);
        for (Projection projection : List.of(Projection.WHOLE, Projection.METADATA)) {
            assertThat(scanned(view, at, projection))
                    .containsExactly(
                            "/other/a", "/other/b", "/other/c", "/other/d", "/registry/pods/a/p");
            assertThat(scanned(hiding, at, projection))
                    .containsExactly("/other/c", "/registry/pods/a/p");
            for (String key : List.of("/other/a", "/other/b", "/other/c", "/other/d")) {
                KeyScope scope = KeyScope.exact(Bytes.utf8(key));
                ReadPoint one = new ReadPoint(PartitionSet.of(scope, 4), 1, revision, 0);
                assertThat(hiding.get(scope.key(), one, projection).orElseThrow().isWithheld())
                        .isEqualTo(!key.equals("/other/c"));
            }
            MergedChanges changes =
                    hiding.changes(
                            ALL, Bytes.EMPTY, 1, ChangePosition.endOf(100), page, projection);
            List<String> changed = new ArrayList<>();
            while (changes.through().wholeRevision() < revision) {
                changes.next(revision).changes().forEach(each -> changed.add(each.key().utf8()));
            }
            assertThat(changed).containsExactly("/other/c", "/registry/pods/a/p");
        }
    }

    private static List<String> scanned(ClusterView of, ReadPoint at, Projection projection)
            throws InterruptedException {
        KeyScope everything = KeyScope.prefix(Bytes.utf8("/"));
        PageLimits page = new PageLimits(2, 1 << 20);
        MergedScan scan = of.scan(everything, Selection.ALL, Bytes.EMPTY, at, page, projection);
        List<String> keys = new ArrayList<>();
        for (StoredObject next = scan.next(); next != null; next = scan.next()) {
            keys.add(next.key().utf8());
        }
        return keys;
    }

    private static List<String> keys(UnreadablePage page) {
        return page.keys().stream().map(each -> each.key().toString()).toList();
    }
}
