package io.tidemark.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.revocation.WatchCrowd.Member;
import io.tidemark.waits.LongTest;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many open watches of a real node, and one binding removed: {@code -Dtidemark.watches=10000} sets
 * their number. A quarter of them loses its right, and a few of these do not read. Prints how long
 * the ends take.
 */
@LongTest
class RevocationIT {
    private static final int WATCHES = Integer.getInteger("tidemark.watches", 500);
    private static final int STALLED = 10;

    /** Opened at once. */
    private static final int BATCH = 500;

    /** More than the buffers of two sockets hold, in values of 200 kB. */
    private static final int LARGE = 60;

    /** Wide, for a busy machine: the promise is 1 s, and 2 s for clients that do not read. */
    private static final Duration WIDE = Duration.ofMinutes(1);

    private static final String SMALL = "/api/v1/namespaces/small/configmaps?watch=1";
    private static final String BIG = "/api/v1/namespaces/big/configmaps?watch=1";

    @TempDir private Path folder;

    @Test
    void endsOnlyWatchesOfTheRemovedBindingAndDeliversNothingLater() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            grant(etcd);
            etcd.putConfigMap("small", "first", "1");
            try (TidemarkProcess node = start(etcd);
                    WatchCrowd crowd = new WatchCrowd(node.address())) {
                run(etcd, node, crowd);
            }
        }
    }

    private TidemarkProcess start(TestEtcd etcd) throws Exception {
        Path tokens = folder.resolve("tokens.csv");
        Files.createFile(
                tokens,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(tokens, "lost,lost,1\nkept,kept,2\nroot,root,3,\"system:masters\"\n");
        int most = WATCHES + 1000;
        return TidemarkProcess.up(
                folder.resolve("node"),
                etcd.endpoint(),
                "--authorization=rbac",
                "--token-file=" + tokens,
                "--max-watches=" + most,
                "--max-watches-per-client=" + most,
                "--max-connections-per-client=" + most);
    }

    private void run(TestEtcd etcd, TidemarkProcess node, WatchCrowd crowd) throws Exception {
        List<Member> lost = new ArrayList<>();
        List<Member> kept = new ArrayList<>();
        String from = "&resourceVersion=" + etcd.putConfigMap("small", "second", "1");
        for (int i = 0; i < STALLED; i++) {
            crowd.open(BIG + from, "lost", false);
        }
        for (int i = 0; i < WATCHES - STALLED; i++) {
            boolean loses = i % 4 == 0;
            (loses ? lost : kept).add(crowd.open(SMALL + from, loses ? "lost" : "kept", true));
            if (i % BATCH == BATCH - 1) {
                awaitOpen(node, i + 1, lost, kept);
            }
        }
        awaitOpen(node, WATCHES, lost, kept);
        String large = "v".repeat(200_000);
        for (int i = 0; i < LARGE; i++) {
            etcd.putConfigMap("big", "large-" + i, large);
        }
        AtomicBoolean writing = new AtomicBoolean(true);
        Thread writer = Thread.ofPlatform().start(() -> write(etcd, writing));
        try {
            await().untilAsserted(
                            () -> assertThat(lost).allMatch(m -> m.events > 3, "has got events"));
            long revoked = deleteBinding(etcd);
            long answered = System.nanoTime();
            long all = awaitEnded(node, kept.size(), answered);
            await().untilAsserted(
                            () -> assertThat(lost).allMatch(m -> m.errorAt != 0, "has an error"));
            report(lost, answered, all);
            check(lost, kept, revoked);
            assertThat(ended(node)).isEqualTo(lost.size() + STALLED);
        } finally {
            writing.set(false);
            writer.join();
        }
        long last = etcd.putConfigMap("small", "last", "1");
        long put = System.nanoTime();
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> kept.stream().allMatch(m -> m.newest >= last));
        System.out.printf(
                "an event for the %d watches that are left: %d ms%n",
                kept.size(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - put));
        assertThat(kept).noneMatch(m -> m.ended);
        assertThat(watches(node)).isEqualTo(kept.size());
    }

    private static void awaitOpen(
            TidemarkProcess node, int count, List<Member> lost, List<Member> kept) {
        await().until(() -> {
            assertThat(lost).allMatch(m -> !m.ended, "is open");
            assertThat(kept).allMatch(m -> !m.ended, "is open");
            return watches(node) >= count;
        });
    }

    /** Continuously, so that events come before, with and after the revocation. */
    private static void write(TestEtcd etcd, AtomicBoolean writing) {
        try {
            for (int i = 0; writing.get(); i++) {
                etcd.putConfigMap("small", "c-" + i % 10, "value");
                TimeUnit.MILLISECONDS.sleep(WATCHES / 20);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check(List<Member> lost, List<Member> kept, long revoked) {
        for (Member each : lost) {
            assertThat(each.newest).isLessThan(revoked);
            assertThat(each.error).contains("\"code\":403").contains("Forbidden");
        }
        await().until(() -> lost.stream().allMatch(m -> m.ended));
        assertThat(kept).allMatch(m -> m.error.isEmpty() && !m.ended);
    }

    private static void report(List<Member> lost, long answered, long all) {
        long[] millis =
                lost.stream()
                        .mapToLong(m -> TimeUnit.NANOSECONDS.toMillis(m.errorAt - answered))
                        .sorted()
                        .toArray();
        PrintStream out = System.out;
        out.printf(
                "%d open watches, %d lost their right and %d of these did not read: ends after"
                        + " p50 %d ms, p99 %d ms, last %d ms; with those that do not read %d ms%n",
                WATCHES,
                lost.size() + STALLED,
                STALLED,
                millis[millis.length / 2],
                millis[millis.length * 99 / 100],
                millis[millis.length - 1],
                all);
        assertThat(Duration.ofMillis(millis[millis.length - 1])).isLessThan(WIDE);
        assertThat(Duration.ofMillis(all)).isLessThan(WIDE);
    }

    /** Milliseconds until the node has ended all watches but so many. */
    private static long awaitEnded(TidemarkProcess node, int left, long since) {
        await().pollInterval(Duration.ofMillis(50)).until(() -> watches(node) == left);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }

    private static int watches(TidemarkProcess node) throws Exception {
        return metric(node, "apiserver_registered_watchers");
    }

    private static int ended(TidemarkProcess node) throws Exception {
        return metric(node, "tidemark_watches_ended_total{reason=\"revoked\"}");
    }

    private static int metric(TidemarkProcess node, String name) throws Exception {
        String text =
                node.api()
                        .send(node.api().request("/metrics").header("Authorization", "Bearer root"))
                        .body();
        return Arrays.stream(text.split("\n"))
                .filter(line -> line.startsWith(name + " "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " in " + text));
    }

    private static void grant(TestEtcd etcd) {
        put(
                etcd,
                "/registry/clusterroles/watcher",
                """
                {"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1",\
                "metadata":{"name":"watcher"},"rules":[{"verbs":["get","list","watch"],\
                "apiGroups":[""],"resources":["configmaps"]}]}
                """);
        for (String user : List.of("lost", "kept")) {
            put(etcd, bindingOf(user), binding(user));
        }
    }

    private static String bindingOf(String user) {
        return "/registry/clusterrolebindings/" + user;
    }

    private static String binding(String user) {
        return """
        {"kind":"ClusterRoleBinding","apiVersion":"rbac.authorization.k8s.io/v1",\
        "metadata":{"name":"%s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",\
        "kind":"ClusterRole","name":"watcher"},"subjects":[{"kind":"User",\
        "apiGroup":"rbac.authorization.k8s.io","name":"%s"}]}
        """
                .formatted(user, user);
    }

    private static void put(TestEtcd etcd, String key, String value) {
        etcd.client().put(Bytes.utf8(key), Bytes.utf8(value));
    }

    /** The revision of the deletion. */
    private static long deleteBinding(TestEtcd etcd) {
        return etcd.client().txn(Txn.of(new Op.Delete(Bytes.utf8(bindingOf("lost"))))).revision();
    }
}
