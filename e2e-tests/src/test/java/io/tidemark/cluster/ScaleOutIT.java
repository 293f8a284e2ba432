package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.EtcdModel;
import io.tidemark.harness.Load;
import io.tidemark.harness.ProcessCluster;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes, each with a part of the data, act as one cache, whichever of them is asked. {@code
 * -Dtidemark.reads=1000} for a longer run; {@code -Dtidemark.seed} to repeat one.
 */
class ScaleOutIT {
    private static final long SEED = Long.getLong("tidemark.seed", System.nanoTime());
    private static final int NODES = 3;
    private static final int PARTITIONS = 4;
    private static final int REPLICAS = 2;
    private static final int OBJECTS = 1_000;
    private static final int NAMESPACES = 10;
    private static final int TIMES = Integer.getInteger("tidemark.reads", 400);
    private static final int AT_ONCE = 4;
    private static final String DIRECTORY = "/registry/configmaps/";
    private static final String CONFIG_MAPS = "/api/v1/configmaps";

    private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();
    @TempDir private static Path folder;
    private static TestEtcd etcd;
    private static EtcdModel model;
    private static ProcessCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        etcd = opened(new TestEtcd(folder.resolve("outside")));
        model = opened(EtcdModel.of(etcd.client(), "/registry/"));
        etcd.putConfigMaps(OBJECTS, "first");
        cluster =
                opened(
                        ProcessCluster.start(
                                folder.resolve("cluster"), etcd.endpoint(), NODES, PARTITIONS));
        cluster.awaitReplicas(PARTITIONS * REPLICAS);
    }

    private static <T extends AutoCloseable> T opened(T one) {
        OPEN.push(one);
        return one;
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable each : OPEN) {
            each.close();
        }
    }

    private interface Check {
        void run(int time, SplittableRandom random) throws Exception;
    }

    /** Several at once, each with separate randomness; all of them must succeed. */
    private static void check(int times, Check check) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (ExecutorService together = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> checks = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                int time = i;
                SplittableRandom own = random.split();
                checks.add(
                        together.submit(() -> {
                            check.run(time, own);
                            return null;
                        }));
            }
            for (Future<?> each : checks) {
                each.get();
            }
        }
    }

    @Test
    void everyListIsEtcdsStateAtTheRevisionItNames() throws Exception {
        try (Load load = Load.paced(etcd.client())) {
            check(
                    TIMES,
                    (time, random) -> {
                        load.allow(1);
                        JsonNode list = cluster.anyNode(random).list(CONFIG_MAPS);
                        long revision = Long.parseLong(Api.resourceVersion(list));
                        assertThat(keys(List.of(list)))
                                .as("list %d at %d, seed %d", time, revision, SEED)
                                .isEqualTo(model.awaiting(revision).keysAt(revision));
                        if (time % 20 == 0) {
                            assertThatEachIsWhatWasPut(list);
                        }
                    });
            assertThat(load.writes()).as("writes meanwhile").isGreaterThan(TIMES / 2);
        }
    }

    @Test
    void aReadAnywhereSeesEveryAcknowledgedWrite() throws Exception {
        check(
                TIMES,
                (time, random) -> {
                    String namespace = "own-" + time % 40;
                    String name = "cm-" + time;
                    long revision = etcd.putConfigMap(namespace, name, "value-" + time);
                    String path = "/api/v1/namespaces/" + namespace + "/configmaps";
                    Api node = cluster.anyNode(random);
                    JsonNode read =
                            time % 2 == 0
                                    ? node.list(path + "/" + name)
                                    : named(name, node.list(path), revision);
                    assertThat(read.at("/data/value").asText())
                            .as("write %d at %d, seed %d", time, revision, SEED)
                            .isEqualTo("value-" + time);
                    assertThat(Api.resourceVersion(read)).isEqualTo(Long.toString(revision));
                });
        assertThat(etcd.client().deletePrefix(Bytes.utf8(DIRECTORY + "own-"))).isEqualTo(TIMES);
    }

    private static JsonNode named(String name, JsonNode list, long revision) {
        assertThat(Long.parseLong(Api.resourceVersion(list))).isGreaterThanOrEqualTo(revision);
        for (JsonNode item : list.path("items")) {
            if (item.at("/metadata/name").asText().equals(name)) {
                return item;
            }
        }
        throw new AssertionError(name + " is not in the list at " + Api.resourceVersion(list));
    }

    @Test
    void pagesFromDifferentNodesAreOneSnapshot() throws Exception {
        try (Load load = Load.paced(etcd.client())) {
            check(
                    10,
                    (time, random) -> {
                        List<JsonNode> pages = new ArrayList<>();
                        Set<String> revisions = new HashSet<>();
                        String more = "";
                        do {
                            load.allow(1);
                            Api node = cluster.nodes().get((time + pages.size()) % NODES).api();
                            JsonNode page = node.list(CONFIG_MAPS + "?limit=150" + more);
                            pages.add(page);
                            revisions.add(Api.resourceVersion(page));
                            more = "&continue=" + page.at("/metadata/continue").asText("");
                            // The load may be early or late.
                            etcd.putConfigMap("moved", "cm-" + time, more);
                        } while (!more.endsWith("="));
                        assertThat(pages).hasSizeGreaterThan(NODES);
                        assertThat(revisions).hasSize(1);
                        long revision = Long.parseLong(revisions.iterator().next());
                        JsonNode now = cluster.anyNode(random).list(CONFIG_MAPS + "?limit=1");
                        assertThat(Long.parseLong(Api.resourceVersion(now)))
                                .isGreaterThan(revision);
                        assertThat(keys(pages))
                                .isEqualTo(model.awaiting(revision).keysAt(revision));
                    });
        }
    }

    @Test
    void everyNodeGivesTheSameBytesAndTheSameEvents() throws Exception {
        long before = etcd.putConfigMap("ns-0", "before", "x");
        Map<String, Integer> changes = new TreeMap<>();
        for (int i = 0; i < NAMESPACES * 3; i++) {
            String namespace = "ns-" + i % NAMESPACES;
            changes.merge(namespace, 2, Integer::sum);
            Bytes key = TestEtcd.configMapKey(namespace, "short-" + i);
            etcd.client().put(key, Bytes.utf8(TestEtcd.configMap(namespace, "short-" + i, "x")));
            if (i % 2 == 0) {
                etcd.client().delete(key);
            } else {
                etcd.putConfigMap(namespace, "cm-" + i, "again");
            }
        }
        long now = etcd.putConfigMap("zz", "last", "x");
        check(
                changes.size(),
                (time, _) -> {
                    String namespace = List.copyOf(changes.keySet()).get(time);
                    String path = "/api/v1/namespaces/" + namespace + "/configmaps";
                    String at = "?resourceVersion=" + now + "&resourceVersionMatch=Exact";
                    assertThatAllAnswerTheSame(path + at);
                    assertThatAllAnswerTheSame(path + "/cm-" + namespace.substring(3));
                    Set<List<JsonNode>> watched = new HashSet<>();
                    for (TidemarkProcess node : cluster.nodes()) {
                        String watch =
                                path + "?watch=true&timeoutSeconds=600&resourceVersion=" + before;
                        try (Api.WatchStream stream = node.api().watch(watch)) {
                            watched.add(stream.next(changes.get(namespace)));
                        }
                    }
                    assertThat(watched).as(path).hasSize(1);
                });
        assertThatAllAnswerTheSame(CONFIG_MAPS + "?resourceVersion=" + now);
    }

    private static void assertThatAllAnswerTheSame(String path) throws Exception {
        Set<Api.Answer> answers = new HashSet<>();
        for (TidemarkProcess node : cluster.nodes()) {
            answers.add(node.api().getInTime(path));
        }
        assertThat(answers).as(path).hasSize(1);
        assertThat(answers.iterator().next().status()).as(path).isEqualTo(200);
    }

    /** A pause of the machine may have moved partitions before: they come back. */
    @Test
    void eachNodeStoresItsShare() {
        cluster.awaitReplicas(PARTITIONS * REPLICAS);
        for (TidemarkProcess asked : cluster.nodes()) {
            await().untilAsserted(() -> assertThatEachStoresItsShare(asked.api().list("/cluster")));
        }
    }

    private static void assertThatEachStoresItsShare(JsonNode status) {
        assertThat(status.path("nodes")).hasSize(NODES);
        for (JsonNode node : status.path("nodes")) {
            assertThat(node.path("copies").size())
                    .as("copies of %s", node.path("node"))
                    .isBetween(
                            PARTITIONS * REPLICAS / NODES - 1, PARTITIONS * REPLICAS / NODES + 2);
            assertThat(node.path("bytes").asLong()).isPositive();
        }
        for (JsonNode partition : status.path("partitions")) {
            Set<String> holders = new HashSet<>();
            holders.add(partition.path("active").asText());
            partition.path("standbys").forEach(each -> holders.add(each.asText()));
            assertThat(holders).as("holders of %s", partition).hasSize(REPLICAS);
        }
    }

    private static Map<String, Long> keys(List<JsonNode> lists) {
        Map<String, Long> keys = new TreeMap<>();
        for (JsonNode list : lists) {
            for (JsonNode item : list.path("items")) {
                JsonNode metadata = item.path("metadata");
                Long twice = keys.put(key(metadata), metadata.path("resourceVersion").asLong());
                assertThat(twice).as("%s is listed twice", metadata).isNull();
            }
        }
        return keys;
    }

    private static String key(JsonNode metadata) {
        return DIRECTORY
                + metadata.path("namespace").asText()
                + "/"
                + metadata.path("name").asText();
    }

    /**
     * Except for the resourceVersion, which etcd does not store, and for what the list states once
     * for all.
     */
    private static void assertThatEachIsWhatWasPut(JsonNode list) throws Exception {
        for (JsonNode item : list.path("items")) {
            JsonNode metadata = item.path("metadata");
            long revision = metadata.path("resourceVersion").asLong();
            ObjectNode put = (ObjectNode) Api.JSON.readTree(model.valueOf(key(metadata), revision));
            put.remove(List.of("kind", "apiVersion"));
            put.withObject("metadata").put("resourceVersion", Long.toString(revision));
            assertThat(item).isEqualTo(put);
        }
    }
}
