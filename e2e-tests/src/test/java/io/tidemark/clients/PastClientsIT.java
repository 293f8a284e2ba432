package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.clients.Tool.MissingException;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients whose server is a moment of the past, or a replay. */
@LongTest
class PastClientsIT {
    private static final Set<WatchedView> CONFIG_MAPS = Set.of(WatchedView.CONFIG_MAPS);

    @TempDir private static Path folder;
    private static @Nullable TestEtcd etcd;
    private static @Nullable TidemarkProcess tidemark;

    /** When both objects exist, the first in its first version. */
    private static long then;

    /** The state that is written after that. */
    private static Map<String, String> now = Map.of();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Security.ofRun() == Security.PLAIN, "these clients have no certificate");
        etcd = new TestEtcd(folder.resolve("outside"));
        tidemark = TidemarkProcess.up(folder.resolve("data"), etcd.endpoint());
        etcd.putConfigMap("a", "one", "first");
        then = etcd.putConfigMap("a", "two", "first");
        long changed = etcd.putConfigMap("a", "one", "second");
        etcd.client().delete(Bytes.utf8("/registry/configmaps/a/two"));
        long added = etcd.putConfigMap("b", "three", "first");
        now = Map.of("a/one", Long.toString(changed), "b/three", Long.toString(added));
        Awaitility.await()
                .until(() ->
                        tidemark.api().list("/api/v1/configmaps").path("items").size()
                                == now.size());
    }

    @AfterAll
    static void stop() throws Exception {
        if (tidemark != null) {
            tidemark.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }

    private static Login at(String path) {
        if (tidemark == null) {
            throw new IllegalStateException("not started");
        }
        return Login.none("http://127.0.0.1:" + tidemark.address().getPort() + path);
    }

    @Test
    void anInformerOfAMomentSeesThatStateAndNothingLater() throws Exception {
        try (Fabric8Informers informers = new Fabric8Informers(at("/at/" + then), CONFIG_MAPS)) {
            Awaitility.await().until(() -> informers.contents(WatchedView.CONFIG_MAPS).size() == 2);
            // A replay that passes all of it shows that there was something to see.
            replay();
            assertThat(informers.contents(WatchedView.CONFIG_MAPS))
                    .containsOnlyKeys("a/one", "a/two")
                    .containsEntry("a/two", Long.toString(then));
            assertThat(informers.traffic().events()).isEqualTo(2);
            assertThat(informers.errors().unexpected()).isEmpty();
        }
    }

    @Test
    void anInformerOfAReplayGetsTheRealHistory() throws Exception {
        replay();
    }

    private static void replay() throws Exception {
        try (Fabric8Informers informers =
                new Fabric8Informers(at("/replay/" + then + "@1000"), CONFIG_MAPS)) {
            // A store changes before its handlers are called.
            Awaitility.await()
                    .untilAsserted(() -> {
                        assertThat(informers.contents(WatchedView.CONFIG_MAPS)).isEqualTo(now);
                        assertThat(informers.traffic().events())
                                .as("two objects, an update, a deletion, an addition")
                                .isEqualTo(5);
                    });
            assertThat(informers.errors().unexpected()).isEmpty();
        }
    }

    @Test
    void kubectlShowsAMoment() throws Exception {
        Kubectl kubectl;
        try {
            kubectl = Kubectl.find(at("/at/" + then), folder);
        } catch (MissingException e) {
            abort(e.getMessage());
            return;
        }
        assertThat(kubectl.run("get", "configmaps", "-A", "-o", "name"))
                .contains("configmap/one", "configmap/two")
                .doesNotContain("three");
        assertThat(kubectl.run("get", "configmap", "one", "-n", "a", "-o", "yaml"))
                .contains("first")
                .doesNotContain("second");
    }
}
