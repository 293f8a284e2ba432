package io.tidemark.local.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.local.Command;
import io.tidemark.local.PortInUseException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdProcessIT {
    private static EtcdBinary binary;

    @TempDir Path directory;

    @BeforeAll
    static void findEtcd() throws Exception {
        binary = EtcdLocator.locate(System.err::println);
    }

    @Test
    void keepsKeysAfterAKillAndAStop() throws Exception {
        EtcdSettings settings = EtcdSettings.forTests(directory.resolve("etcd"));
        try (EtcdProcess etcd = EtcdProcess.start(binary, settings)) {
            etcdctl(etcd, "put", "/a", "1");
            etcd.kill();
        }
        try (EtcdProcess etcd = EtcdProcess.start(binary, settings)) {
            etcdctl(etcd, "put", "/b", "2");
        }
        try (EtcdProcess etcd = EtcdProcess.start(binary, settings)) {
            assertThat(etcdctl(etcd, "get", "--prefix", "--keys-only", "/")).contains("/a", "/b");
        }
    }

    @Test
    void stopEndsTheProcess() throws Exception {
        EtcdProcess etcd = EtcdProcess.start(binary, EtcdSettings.forTests(directory));

        etcd.stop();

        assertThat(etcd.isAlive()).isFalse();
        assertThat(etcd.onExit().get(1, TimeUnit.MINUTES)).isNotNull();
        assertThat(directory.resolve("etcd.pid")).doesNotExist();
    }

    @Test
    void startKillsALeftoverEtcd() throws Exception {
        EtcdSettings settings = EtcdSettings.forTests(directory);
        EtcdProcess leftover = EtcdProcess.start(binary, settings);

        try (EtcdProcess next = EtcdProcess.start(binary, settings)) {
            assertThat(leftover.onExit().get(1, TimeUnit.MINUTES)).isNotNull();
            assertThat(next.isAlive()).isTrue();
        }
    }

    @Test
    void doesNotKillAProcessThatReusesTheId() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "3600").start();
        try {
            Files.writeString(directory.resolve("etcd.pid"), Long.toString(stranger.pid()));

            EtcdProcess.start(binary, EtcdSettings.forTests(directory)).close();

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void reportsAPortInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EtcdSettings settings =
                    EtcdSettings.forTests(directory).withClientPort(taken.getLocalPort());

            assertThatThrownBy(() -> EtcdProcess.start(binary, settings).close())
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void startErrorQuotesTheLog() {
        EtcdSettings settings = EtcdSettings.in(directory).withFlags("--no-such-flag");

        assertThatThrownBy(() -> EtcdProcess.start(binary, settings).close())
                .hasMessageContaining("ended with code")
                .hasMessageContaining("etcd.log");
    }

    /** A port in use would be a reason to try again with another one. */
    @Test
    void startErrorQuotesNoEarlierRun() throws Exception {
        EtcdSettings settings = EtcdSettings.in(directory).withFlags("--no-such-flag");
        Path log = directory.resolve("etcd.log");
        Files.writeString(log, "{\"level\":\"fatal\",\"msg\":\"address already in use\"}\n");

        assertThatThrownBy(() -> EtcdProcess.start(binary, settings).close())
                .hasMessageContaining("ended with code")
                .message()
                .doesNotContain("already in use");
    }

    @Test
    void closingAStartKillsTheChild() throws Exception {
        Path never = directory.resolve("never-healthy");
        Files.writeString(never, "#!/bin/sh\nexec sleep 3600\n");
        Files.setPosixFilePermissions(never, PosixFilePermissions.fromString("rwx------"));
        EtcdBinary stuck = new EtcdBinary(never, binary.version(), "test");
        EtcdSettings settings = EtcdSettings.forTests(directory);
        EtcdStart start = new EtcdStart();
        CompletableFuture<String> failure = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        EtcdProcess.start(stuck, settings, start).close();
                        failure.complete("started");
                    } catch (IOException e) {
                        failure.complete(e.getMessage());
                    }
                });
        Path pidFile = directory.resolve("etcd.pid");
        await().until(() -> Files.exists(pidFile) && Files.size(pidFile) > 0);
        long pid = Long.parseLong(Files.readString(pidFile));

        start.close();

        assertThat(failure.get(1, TimeUnit.MINUTES)).contains("ended with code");
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThatThrownBy(() -> EtcdProcess.start(stuck, settings, start).close())
                .hasMessageContaining("was ended");
    }

    @Test
    void restoredSnapshotHasTheKeys() throws Exception {
        Path snapshot = directory.resolve("snapshot.db");
        try (EtcdProcess etcd =
                EtcdProcess.start(binary, EtcdSettings.forTests(directory.resolve("one")))) {
            etcdctl(etcd, "put", "/a", "1");
            etcdctl(etcd, "snapshot", "save", snapshot.toString());
        }
        EtcdSettings restored = EtcdSettings.forTests(directory.resolve("two"));

        EtcdProcess.restoreSnapshot(binary, snapshot, restored);

        try (EtcdProcess etcd = EtcdProcess.start(binary, restored)) {
            assertThat(etcdctl(etcd, "get", "/a")).contains("1");
        }
    }

    private static String etcdctl(EtcdProcess etcd, String... arguments) throws Exception {
        List<String> command = new java.util.ArrayList<>();
        command.add(binary.etcdctl().orElseThrow().toString());
        command.add("--endpoints=" + etcd.endpoint());
        command.addAll(List.of(arguments));
        Command.Result result = Command.run(Path.of("/"), Duration.ofSeconds(20), command);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }
}
