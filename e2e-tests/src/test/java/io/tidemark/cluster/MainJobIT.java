package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api;
import io.tidemark.harness.Load;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main job on real input, end to end: etcd to Kafka to RocksDB to HTTP. {@code
 * -Dtidemark.reads=1000} for more reads of fresh writes.
 */
class MainJobIT {
    private static final int OBJECTS = 10_000;
    private static final int CHANGES = 1_000;
    private static final int READS = Integer.getInteger("tidemark.reads", 300);
    private static final int WRITES_MEANWHILE = 10;
    private static final String CONFIG_MAPS = "/api/v1/configmaps";

    @TempDir private Path folder;

    @Test
    void externalWritesAreServedAndSurviveEveryRestart() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            etcd.putConfigMaps(OBJECTS, "first");
            Path data = folder.resolve("data");
            String resumeFrom;
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                JsonNode all = tidemark.api().list(CONFIG_MAPS);
                assertThat(all.path("items")).hasSize(OBJECTS);
                assertThat(tidemark.api().keys("registry/")).isEqualTo(etcd.keys("/registry/"));

                resumeFrom = Api.resourceVersion(all);
                aWatcherSeesWritesInOrderWholeAndOnce(tidemark.api(), etcd, resumeFrom);

                resumeFrom = Api.resourceVersion(tidemark.api().list(CONFIG_MAPS));
                assertThat(tidemark.stop()).as("exit code after SIGTERM").isZero();
            }

            List<Long> revisions = change(etcd);
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                assertResumesWithExactly(tidemark.api(), resumeFrom, revisions);
                assertThat(tidemark.stop()).isZero();
            }

            deleteFolder(data.resolve("state"));
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                assertResumesWithExactly(tidemark.api(), resumeFrom, revisions);
                assertThat(tidemark.api().keys("registry/")).isEqualTo(etcd.keys("/registry/"));
            }
        }
    }

    private static void aWatcherSeesWritesInOrderWholeAndOnce(
            Api api, TestEtcd etcd, String resourceVersion) throws Exception {
        String path =
                CONFIG_MAPS + "?watch=true&timeoutSeconds=600&resourceVersion=" + resourceVersion;
        try (Api.WatchStream watch = api.watch(path)) {
            long put = etcd.putConfigMap("ns-0", "new", "x");
            etcd.client().delete(TestEtcd.configMapKey("ns-0", "new"));
            long together =
                    etcd.client()
                            .txn(
                                    Txn.of(
                                            write("zz", "t-2", "a"),
                                            write("aa", "t-1", "b"),
                                            new Op.Delete(TestEtcd.configMapKey("ns-1", "cm-1")),
                                            write("mm", "t-3", "c")))
                            .revision();
            long last = etcd.putConfigMap("ns-0", "last", "x");

            List<String> seen = new ArrayList<>();
            for (JsonNode event : watch.next(7)) {
                JsonNode metadata = event.path("object").path("metadata");
                seen.add(
                        event.path("type").asText()
                                + " "
                                + metadata.path("name").asText()
                                + " "
                                + metadata.path("resourceVersion").asText());
            }
            assertThat(seen)
                    .containsExactly(
                            "ADDED new " + put,
                            "DELETED new " + (put + 1),
                            "ADDED t-2 " + together,
                            "ADDED t-1 " + together,
                            "DELETED cm-1 " + together,
                            "ADDED t-3 " + together,
                            "ADDED last " + last);
        }
    }

    private static Op write(String namespace, String name, String value) {
        return new Op.Put(
                TestEtcd.configMapKey(namespace, name),
                Bytes.utf8(TestEtcd.configMap(namespace, name, value)));
    }

    /** Changes as many objects, one at a time, and returns the revisions. */
    private static List<Long> change(TestEtcd etcd) {
        List<Long> revisions = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            revisions.add(etcd.putConfigMap("ns-" + i % 10, "cm-" + i, "changed"));
        }
        return revisions;
    }

    private static void assertResumesWithExactly(Api api, String from, List<Long> revisions)
            throws Exception {
        String path = CONFIG_MAPS + "?watch=true&timeoutSeconds=600&resourceVersion=" + from;
        try (Api.WatchStream watch = api.watch(path)) {
            List<Long> seen = new ArrayList<>();
            for (JsonNode event : watch.next(revisions.size())) {
                JsonNode metadata = event.path("object").path("metadata");
                seen.add(metadata.path("resourceVersion").asLong());
            }
            assertThat(seen).isEqualTo(revisions);
        }
    }

    @Test
    @LongTest
    void aListWithoutAResourceVersionHasEveryAcknowledgedWrite() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            etcd.putConfigMaps(500, "first");
            try (TidemarkProcess tidemark =
                            TidemarkProcess.up(folder.resolve("data"), etcd.endpoint());
                    Load load = Load.paced(etcd.client())) {
                Set<String> missing = new HashSet<>();
                for (int i = 0; i < READS; i++) {
                    // No more than the mirror can process: one that lags far behind rightly answers
                    // 504.
                    load.allow(WRITES_MEANWHILE);
                    long revision = etcd.putConfigMap("fresh", "cm", "value-" + i);
                    JsonNode list = tidemark.api().list("/api/v1/namespaces/fresh/configmaps");
                    String value = list.at("/items/0/data/value").asText();
                    if (!value.equals("value-" + i)
                            || Long.parseLong(Api.resourceVersion(list)) < revision) {
                        missing.add("write " + i + " at " + revision + " read as " + value);
                    }
                }
                assertThat(missing).isEmpty();
                assertThat(load.writes()).as("writes meanwhile").isPositive();
            }
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
