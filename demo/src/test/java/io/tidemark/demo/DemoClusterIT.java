package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoClusterIT {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    @Test
    void loadsOnceAndResumesChanges() throws Exception {
        try (EtcdProcess etcd =
                        EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder));
                EtcdClient client =
                        new EtcdClient(
                                EtcdOptions.of(etcd.endpoint())
                                        .withTimeouts(
                                                Duration.ofSeconds(30), Duration.ofSeconds(30)))) {
            DemoCluster cluster = new DemoCluster(client, PREFIX, 7, InstantSource.system());
            assertThat(cluster.load()).isGreaterThan(300);
            long loaded = client.revision(PREFIX);
            assertThat(cluster.load()).isZero();
            try (EtcdWatch watch = client.watch(WatchRequest.prefix(PREFIX, loaded + 1))) {
                change(cluster, 300);
                checkChanges(changes(watch, 300));
            }
            checkCluster(client);

            DemoCluster again = new DemoCluster(client, PREFIX, 7, InstantSource.system());
            assertThat(again.load()).isZero();
            change(again, 100);
            checkCluster(client);
        }
    }

    private static void change(DemoCluster cluster, long count) {
        try (ChangeGenerator changing = cluster.keepChanging(500)) {
            await().until(() -> changing.changes() >= count);
        }
    }

    private static List<KeyChange> changes(EtcdWatch watch, int atLeast) throws Exception {
        List<KeyChange> changes = new ArrayList<>();
        while (changes.size() < atLeast) {
            Optional<WatchEvent> event = watch.next(PATIENCE);
            if (event.orElseThrow() instanceof WatchEvent.Changes more) {
                changes.addAll(more.changes());
            }
        }
        return changes;
    }

    private static void checkChanges(List<KeyChange> changes) {
        Set<String> directories = new HashSet<>();
        for (KeyChange change : changes) {
            directories.add(change.key().utf8().split("/", 4)[2]);
        }
        assertThat(directories)
                .contains("pods", "leases", "events", "harbour.tidemark.io", "endpointslices");
        Set<Bytes> terminated = new HashSet<>();
        Set<Bytes> deleted = new HashSet<>();
        for (KeyChange change : changes) {
            switch (change) {
                case KeyChange.Put put -> {
                    if (put.now().value().utf8().contains("deletionTimestamp")) {
                        terminated.add(put.key());
                    }
                }
                case KeyChange.Delete delete -> deleted.add(delete.key());
            }
        }
        assertThat(deleted).isNotEmpty();
        deleted.removeIf(key -> !key.utf8().contains("/pods/"));
        assertThat(terminated).containsAll(deleted);
    }

    /** Consistent at any point: without duplicate objects or missing owners. */
    private static void checkCluster(EtcdClient client) throws Exception {
        Set<String> replicaSets = new HashSet<>();
        Set<String> nodes = new HashSet<>();
        for (KeyValue object : list(client, "replicasets/")) {
            replicaSets.add(json(object).at("/metadata/uid").asText());
        }
        for (KeyValue object : list(client, "minions/")) {
            nodes.add(json(object).at("/metadata/name").asText());
        }
        Set<String> addresses = new HashSet<>();
        List<KeyValue> pods = list(client, "pods/");
        assertThat(pods).hasSizeBetween(100, 250);
        for (KeyValue object : pods) {
            JsonNode pod = json(object);
            assertThat(replicaSets).contains(pod.at("/metadata/ownerReferences/0/uid").asText());
            if (pod.at("/spec").has("nodeName")) {
                assertThat(nodes).contains(pod.at("/spec/nodeName").asText());
            }
            String address = pod.at("/status/podIP").asText();
            assertThat(address.isEmpty() || addresses.add(address)).isTrue();
        }
        assertThat(list(client, "events/")).allMatch(event -> event.lease() != 0);
        assertThat(list(client, "harbour.tidemark.io/voyages/")).hasSizeBetween(15, 20);
    }

    private static List<KeyValue> list(EtcdClient client, String directory) {
        return client.range(RangeRequest.prefix(PREFIX.concat(Bytes.utf8(directory)))).keyValues();
    }

    private static JsonNode json(KeyValue object) throws Exception {
        return Templates.JSON.readTree(object.value().array());
    }
}
