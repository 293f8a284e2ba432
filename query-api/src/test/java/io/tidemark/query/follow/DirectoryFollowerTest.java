package io.tidemark.query.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.testing.MirroredCluster.Op;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DirectoryFollowerTest {
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));
    private static final KeyScope NODES = KeyScope.directory(Bytes.utf8("/registry/minions/"));

    private static final Bytes NONE = Bytes.EMPTY;

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final TreeMap<String, Long> content = new TreeMap<>();
    private long nanos;
    private DirectoryFollower follower = follower(new FollowLimits(1_000, 1 << 20));

    private DirectoryFollower follower(FollowLimits limits) {
        return follower(cluster, limits);
    }

    private DirectoryFollower follower(PartitionDirectory directory) {
        return follower(directory, new FollowLimits(1_000, 1 << 20));
    }

    private DirectoryFollower follower(PartitionDirectory directory, FollowLimits limits) {
        return new DirectoryFollower(
                "test objects",
                directory,
                List.of(PODS, NODES),
                limits,
                new Content(),
                () -> nanos);
    }

    @Test
    void followsAllPartitionsThroughTheSameRevision() {
        pod("blue", "a");
        pod("red", "b");
        node("n1");
        assertThat(follower.followed()).isEqualTo(new Followed.Unread());

        assertThat(follower.step()).isTrue();

        assertThat(content).containsOnlyKeys("pods/blue/a", "pods/red/b", "minions/n1");
        assertThat(through()).isEqualTo(cluster.revision());

        pod("green", "c");
        cluster.delete(MirroredCluster.podKey("red", "b"));
        assertThat(follower.step()).isTrue();

        assertThat(content).containsOnlyKeys("pods/blue/a", "pods/green/c", "minions/n1");
        assertThat(through()).isEqualTo(cluster.revision());
        assertThat(follower.step()).isFalse();
    }

    @Test
    void doesNotReadAheadOfTheSlowestPartition() {
        node("n1");
        pod("blue", "a");
        assertThat(follower.step()).isTrue();
        int slow = cluster.partitionOf("/registry/minions/");
        String fast = namespaceOutside(slow);
        long before = cluster.revision();
        cluster.holdBack(slow, true);

        pod(fast, "later");
        assertThat(follower.step()).isFalse();

        assertThat(content).doesNotContainKey("pods/" + fast + "/later");
        assertThat(through()).isEqualTo(before);

        cluster.holdBack(slow, false);
        assertThat(follower.step()).isTrue();
        assertThat(content).containsKey("pods/" + fast + "/later");
    }

    @Test
    void listsAgainAtANewEpoch() {
        pod("blue", "a");
        pod("blue", "b");
        assertThat(follower.step()).isTrue();

        cluster.relist(true);
        assertThat(follower.step()).isTrue();
        // A list that does not contain a key deletes it.
        assertThat(content).isEmpty();
        assertThat(((Followed.Through) follower.followed()).epoch()).isEqualTo(2);

        pod("blue", "c");
        assertThat(follower.step()).isTrue();
        assertThat(content).containsOnlyKeys("pods/blue/c");
    }

    /** Another replica may answer a read than the one whose state was looked at. */
    @Test
    void doesNotAskAReplicaAgainThatIsNotThereYet() {
        pod("blue", "a");
        AtomicReference<Bytes> behind = new AtomicReference<>(NONE);
        follower = follower(new LaggingReads(cluster, behind, Map.of()));
        assertThat(follower.step()).isTrue();
        long before = cluster.revision();
        behind.set(PODS.key());

        pod("blue", "b");
        assertThat(follower.step()).isFalse();
        assertThat(through()).isEqualTo(before);

        behind.set(NONE);
        assertThat(follower.step()).isTrue();
        assertThat(content).containsOnlyKeys("pods/blue/a", "pods/blue/b");
    }

    /** Found by the simulation, seed 3511092: a part was newer than the rest. */
    @Test
    void showsNoContentThatWasNeverInEtcd() {
        AtomicReference<Bytes> behind = new AtomicReference<>(NONE);
        Map<Integer, PartitionState> lagging = new HashMap<>();
        follower = follower(new LaggingReads(cluster, behind, lagging));
        node("n1");
        assertThat(follower.step()).isTrue();
        long before = cluster.revision();
        node("n2");
        Map<Integer, PartitionState> earlier = new HashMap<>();
        for (int p = 0; p < cluster.partitions(); p++) {
            earlier.put(p, cluster.view(p).state());
        }
        pod("blue", "a");
        behind.set(NODES.key());
        assertThat(follower.step()).isFalse();

        behind.set(NONE);
        lagging.putAll(earlier);
        assertThat(follower.step()).isFalse();
        assertThat(through()).isEqualTo(before);

        lagging.clear();
        assertThat(follower.step()).isTrue();
        assertThat(through()).isEqualTo(cluster.revision());
        assertThat(content).containsOnlyKeys("minions/n1", "minions/n2", "pods/blue/a");
    }

    /**
     * Replicas that lag.
     *
     * @param behind the scope of which changes beyond the requested ones are not read yet
     * @param states that are shown in place of the newest ones
     */
    private record LaggingReads(
            PartitionDirectory directory,
            AtomicReference<Bytes> behind,
            Map<Integer, PartitionState> states)
            implements PartitionDirectory {
        @Override
        public int partitions() {
            return directory.partitions();
        }

        @Override
        public PartitionView view(int partition) {
            PartitionView view = directory.view(partition);
            return (PartitionView)
                    Proxy.newProxyInstance(
                            PartitionView.class.getClassLoader(),
                            new Class<?>[] {PartitionView.class},
                            (_, method, arguments) ->
                                    method.getName().equals("state")
                                            ? states.getOrDefault(partition, view.state())
                                            : answer(view, method, arguments));
        }

        private @Nullable Object answer(
                PartitionView view, Method method, Object @Nullable [] arguments)
                throws ReflectiveOperationException {
            if (method.getName().equals("recentChanges")) {
                return Optional.empty();
            }
            if (arguments != null
                    && arguments[0] instanceof ChangesRequest request
                    && request.prefix().equals(behind.get())) {
                return new ReadOutcome.Served<>(new ChangePage(List.of(), request.after()));
            }
            return method.invoke(view, arguments);
        }
    }

    @Test
    void takesTheNetChangesOfAGap() {
        pod("blue", "a");
        assertThat(follower.step()).isTrue();

        Op replaced = MirroredCluster.podOp("blue", "b", Map.of(), "");
        cluster.gap(TideMark.Kind.GAP, List.of(replaced));

        assertThat(follower.step()).isTrue();
        assertThat(content).containsOnlyKeys("pods/blue/a", "pods/blue/b");
    }

    /**
     * Found by the simulation, seed 3737895: the mark of a first attempt to bridge the gap has
     * reached one partition, the second one's all others. At the first mark these have no state.
     */
    @Test
    void showsNoContentInsideABridgedGap() {
        int behind = cluster.partitionOf("/registry/minions/");
        String namespace = namespaceOutside(behind);
        node("n1");
        pod(namespace, "a");
        assertThat(follower.step()).isTrue();
        long before = through();
        cluster.gap(TideMark.Kind.BRIDGE, List.of(), partition -> partition == behind);
        Op deleted = new Op(MirroredCluster.podKey(namespace, "a"), _ -> null);
        cluster.gap(TideMark.Kind.BRIDGE, List.of(deleted), partition -> partition != behind);

        assertThat(follower.step()).isFalse();
        assertThat(through()).isEqualTo(before);
        assertThat(content).containsOnlyKeys("minions/n1", "pods/" + namespace + "/a");

        cluster.gap(TideMark.Kind.BRIDGE, List.of());
        assertThat(follower.step()).isTrue();
        assertThat(through()).isEqualTo(cluster.revision());
        assertThat(content).containsOnlyKeys("minions/n1");
    }

    private String namespaceOutside(int partition) {
        return IntStream.range(0, 100)
                .mapToObj(n -> "ns" + n)
                .filter(name -> cluster.partitionOf("/registry/pods/" + name + "/") != partition)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsValuesThatAreNoObjects() {
        cluster.raw(MirroredCluster.podKey("blue", "odd"), new byte[] {1, 2}, "no JSON");

        assertThat(follower.step()).isTrue();

        assertThat(content).containsOnlyKeys("pods/blue/odd");
    }

    @Test
    void keepsNothingBeyondItsLimitsAndListsAgainLater() {
        follower = follower(new FollowLimits(2, 1 << 20));
        pod("blue", "a");
        pod("blue", "b");
        assertThat(follower.step()).isTrue();
        assertThat(content).hasSize(2);

        pod("red", "c");
        assertThat(follower.step()).isTrue();
        assertThat(follower.followed())
                .isEqualTo(new Followed.TooMuch("test objects: more than 2 objects"));
        assertThat(content).isEmpty();

        cluster.delete(MirroredCluster.podKey("blue", "a"));
        assertThat(follower.step()).isFalse();
        nanos = Duration.ofSeconds(30).toNanos();
        assertThat(follower.step()).isTrue();
        assertThat(content).containsOnlyKeys("pods/blue/b", "pods/red/c");
    }

    @Test
    void countsTheBytesOfTheNewestVersionsOnly() {
        follower = follower(new FollowLimits(10, 2_000));
        for (int i = 0; i < 50; i++) {
            pod("blue", "a");
            assertThat(follower.step()).isTrue();
            assertThat(follower.followed()).isInstanceOf(Followed.Through.class);
        }
        for (int i = 0; i < 9; i++) {
            pod("blue", "p" + i);
        }
        assertThat(follower.step()).isTrue();
        assertThat(follower.followed()).isInstanceOf(Followed.TooMuch.class);
    }

    @Test
    void waitsForTheFirstList() {
        MirroredCluster unlisted = MirroredCluster.notListedYet(2);
        DirectoryFollower early =
                new DirectoryFollower(
                        "test objects",
                        unlisted,
                        List.of(PODS),
                        new FollowLimits(1, 1),
                        new Content(),
                        () -> 0);

        assertThat(early.step()).isFalse();
        assertThat(early.followed()).isEqualTo(new Followed.Unread());
    }

    @Test
    void readsMorePagesThanOne() {
        for (int i = 0; i < 1_200; i++) {
            pod("blue", "p" + i);
        }
        follower = follower(new FollowLimits(10_000, 100 << 20));
        assertThat(follower.step()).isTrue();
        assertThat(content).hasSize(1_200);
        for (int i = 0; i < 1_200; i++) {
            pod("blue", "q" + i);
        }
        assertThat(follower.step()).isTrue();
        assertThat(content).hasSize(2_400);
    }

    private void pod(String namespace, String name) {
        cluster.pod(namespace, name, Map.of());
    }

    private void node(String name) {
        cluster.put(
                "/registry/minions/" + name,
                at ->
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%d\"}}"
                                .formatted(name, at));
    }

    private long through() {
        return ((Followed.Through) follower.followed()).through();
    }

    private final class Content implements FollowedContent {
        @Override
        public void put(StoredObject object) {
            Long _ = content.put(name(object.key()), object.revision());
        }

        @Override
        public void delete(Bytes key) {
            Long removed = content.remove(name(key));
            assertThat(removed).isNotNull();
        }

        @Override
        public void clear() {
            content.clear();
        }

        private String name(Bytes key) {
            return key.utf8().substring("/registry/".length());
        }
    }
}
