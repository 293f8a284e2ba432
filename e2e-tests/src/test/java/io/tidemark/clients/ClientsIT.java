package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.clients.InformerClient.Traffic;
import io.tidemark.clients.Tool.MissingException;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unmodified clients follow 10,000 changes side by side, through a graceful restart and a kill of
 * their node. In the end they hold what etcd holds, and have reported nothing that their users
 * would call an error: {@link ClientErrors} defines that.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@LongTest
class ClientsIT {
    private static final int CHANGES = 10_000;
    private static final int BEFORE = 1_000;
    private static final int BETWEEN = 2_000;
    private static final int WHILE_AWAY = 2_000;
    private static final Set<WatchedView> ALL = EnumSet.allOf(WatchedView.class);

    /** The first kubectl that does, and that goes on waiting when a watch ends: 1.23. */
    private static final int WAITS_FOR_ANY_FIELD = 23;

    private final List<KubectlWait> waits = new ArrayList<>();
    private final List<InformerClient> followers = new ArrayList<>();
    private final Map<String, String> missing = new TreeMap<>();
    private final Map<String, String> differences = new TreeMap<>();

    private TestEtcd etcd;
    private Changes changes;
    private TidemarkProcess tidemark;
    private int port;

    @TempDir private static Path folder;

    /** How the node goes away. */
    private interface NodeStop {
        void end(TidemarkProcess node) throws Exception;
    }

    private interface ClientStart {
        InformerClient at(Login login) throws Exception;
    }

    @BeforeAll
    void followAll() throws Exception {
        long begun = System.nanoTime();
        etcd = new TestEtcd(folder.resolve("outside"));
        changes = new Changes(etcd);
        changes.define();
        changes.write(BEFORE);
        port = Ports.pickFree("127.0.0.1");
        startNode();
        start("fabric8", login -> new Fabric8Informers(login, ALL));
        start("official", login -> new OfficialInformers(login, ALL));
        start("node", login -> NodeInformers.start(login, ALL));
        start(
                "kubectl",
                login -> new KubectlWatches(Kubectl.find(login, folder), KubectlWatches.VIEWS));
        startWaits(Login.none("http://127.0.0.1:" + port));
        awaitEqual("at first", begun);
        restart(TidemarkProcess::stop);
        awaitEqual("after the node was stopped", begun);
        changes.write(BETWEEN);
        restart(TidemarkProcess::kill);
        awaitEqual("after the node was killed", begun);
        changes.write(CHANGES - changes.written());
        awaitEqual("at the end", begun);
        etcd.client().txn(Txn.of(new Op.Delete(TestEtcd.configMapKey("pier", "leaves"))));
        etcd.putConfigMap("pier", "turns", "green");
    }

    /** Two that wait all the time for the last change. */
    private void startWaits(Login login) throws Exception {
        etcd.putConfigMap("pier", "leaves", "");
        etcd.putConfigMap("pier", "turns", "red");
        try {
            Kubectl kubectl = Kubectl.find(login, folder);
            if (kubectl.minorVersion() < WAITS_FOR_ANY_FIELD) {
                throw new MissingException(
                        "needs a kubectl of 1." + WAITS_FOR_ANY_FIELD + " or later");
            }
            waits.add(new KubectlWait(kubectl, "-n", "pier", "--for=delete", "configmap/leaves"));
            waits.add(
                    new KubectlWait(
                            kubectl,
                            "-n",
                            "pier",
                            "--for=jsonpath={.data.value}=green",
                            "configmap/turns"));
        } catch (MissingException e) {
            missing.put("wait", e.getMessage());
        }
    }

    private void startNode() throws Exception {
        tidemark = TidemarkProcess.upAt(port, folder.resolve("data"), etcd.endpoint());
    }

    private void start(String client, ClientStart start) throws Exception {
        try {
            followers.add(start.at(Login.none("http://127.0.0.1:" + port)));
        } catch (MissingException e) {
            missing.put(client, e.getMessage());
        }
    }

    /** Stops the node during changes, which continue without it. */
    private void restart(NodeStop ending) throws Exception {
        int before = changes.written();
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> written = writer.submit(() -> changes.write(WHILE_AWAY));
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> changes.written() > before + WHILE_AWAY / 4);
            followers.forEach(follower -> follower.errors().nodeIsAway(true));
            ending.end(tidemark);
            startNode();
            written.get();
        }
        for (InformerClient follower : followers) {
            follower.onNodeReady();
        }
    }

    private void awaitEqual(String when, long begun) throws Exception {
        for (InformerClient follower : followers) {
            for (WatchedView view : follower.views()) {
                Map<String, String> expected = view.in(etcd);
                try {
                    Awaitility.await().until(() -> follower.contents(view).equals(expected));
                } catch (ConditionTimeoutException _) {
                    differences.put(
                            follower.name() + ", " + view + ", " + when,
                            difference(expected, follower.contents(view)));
                }
            }
            System.out.printf(
                    "%s, %d changes and %d ms after the beginning: %s had %s, %d times without a"
                            + " node%n",
                    when,
                    changes.written(),
                    Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                    follower.name(),
                    follower.traffic(),
                    follower.errors().excused());
        }
        followers.forEach(follower -> follower.errors().nodeIsAway(false));
    }

    /** The first few of each kind are enough. */
    private static String difference(Map<String, String> expected, Map<String, String> actual) {
        Set<Map.Entry<String, String>> missing = new LinkedHashSet<>(expected.entrySet());
        missing.removeAll(actual.entrySet());
        Set<Map.Entry<String, String>> surplus = new LinkedHashSet<>(actual.entrySet());
        surplus.removeAll(expected.entrySet());
        return "%d of %d are missing, such as %s; %d are too many, such as %s"
                .formatted(
                        missing.size(),
                        expected.size(),
                        missing.stream().limit(3).toList(),
                        surplus.size(),
                        surplus.stream().limit(3).toList());
    }

    @Test
    void fabric8() throws Exception {
        assertFollowed("fabric8", Fabric8Informers.class);
        assertNoRelist(Fabric8Informers.class);
    }

    @Test
    void officialJavaClient() throws Exception {
        assertFollowed("official", OfficialInformers.class);
    }

    @Test
    void officialJavaScriptClient() throws Exception {
        assertFollowed("node", NodeInformers.class);
        assertNoRelist(NodeInformers.class);
    }

    @Test
    void kubectl() throws Exception {
        assertFollowed("kubectl", KubectlWatches.class);
    }

    @Test
    void kubectlWait() throws Exception {
        assumeTrue(!missing.containsKey("wait"), () -> missing.get("wait"));
        assertThat(waits.get(0).result()).isEqualTo("configmap/leaves condition met\n");
        assertThat(waits.get(1).result()).isEqualTo("configmap/turns condition met\n");
    }

    private void assertFollowed(String client, Class<? extends InformerClient> type)
            throws Exception {
        assumeTrue(!missing.containsKey(client), () -> missing.get(client));
        InformerClient follower = follower(type);
        assertThat(differences)
                .allSatisfy((where, _) -> assertThat(where).doesNotStartWith(follower.name()));
        assertThat(follower.errors().unexpected()).isEmpty();
        Traffic traffic = follower.traffic();
        assertThat(traffic.watches()).as("%s", traffic).isGreaterThan(follower.views().size());
    }

    private InformerClient follower(Class<? extends InformerClient> type) {
        return followers.stream().filter(type::isInstance).findFirst().orElseThrow();
    }

    /** Both times its last revision was enough to resume. */
    private void assertNoRelist(Class<? extends InformerClient> type) throws Exception {
        InformerClient follower = follower(type);
        assertThat(follower.traffic().lists()).isEqualTo(follower.views().size());
    }

    @AfterAll
    void closeAll() throws Exception {
        for (KubectlWait wait : waits) {
            wait.close();
        }
        for (InformerClient follower : followers) {
            follower.close();
        }
        if (tidemark != null) {
            tidemark.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }
}
