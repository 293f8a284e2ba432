package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoryIT {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");

    @TempDir Path folder;

    /** The story follows a clock, which passes each minute in a moment. */
    @Test
    void tellsOfARolloutItsRollbackANodeAndAScaling() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
        try (EtcdProcess etcd =
                        EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder));
                EtcdClient client =
                        new EtcdClient(
                                EtcdOptions.of(etcd.endpoint())
                                        .withTimeouts(
                                                Duration.ofSeconds(30), Duration.ofSeconds(30)))) {
            DemoCluster cluster = new DemoCluster(client, PREFIX, 7, now::get);
            cluster.load();
            long loaded = client.revision(PREFIX);
            List<String> values = new ArrayList<>();
            try (EtcdWatch watch = client.watch(WatchRequest.prefix(PREFIX, loaded + 1));
                    ChangeGenerator changing = cluster.keepChanging(500)) {
                await().until(() -> {
                    now.updateAndGet(time -> time.plusSeconds(5));
                    Optional<WatchEvent> event = watch.next(Duration.ofMillis(100));
                    if (event.orElse(null) instanceof WatchEvent.Changes more) {
                        for (KeyChange each : more.changes()) {
                            if (each instanceof KeyChange.Put(KeyValue put, _)) {
                                values.add(put.value().utf8());
                            }
                        }
                    }
                    return values.stream().anyMatch(value -> value.contains("kubectl-scale"));
                });
                assertThat(changing.changes()).isPositive();
            }
            assertThat(values)
                    .anyMatch(value -> value.contains("feature.checkout"))
                    .anyMatch(value ->
                            value.contains("storefront:1.11.0-rc1")
                                    && value.contains("argocd-controller"))
                    .anyMatch(value -> value.contains("Failed to pull image"))
                    .anyMatch(value ->
                            value.contains("kubectl-rollout") && !value.contains("1.11.0-rc1"))
                    .anyMatch(value -> value.contains("NodeStatusUnknown"));
        }
    }
}
