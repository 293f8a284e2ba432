package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaLogins;
import io.tidemark.local.kafka.KafkaUser;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidemark up} as a separate process, stopped by signals. */
class UpIT {
    private static final String PODS = "/api/v1/namespaces/harbour/pods";
    private static final String GROUP = "tidemark";

    @TempDir Path directory;

    private final List<Process> processes = new ArrayList<>();

    @BeforeAll
    static void fetchEtcdOnce() throws Exception {
        io.tidemark.local.etcd.EtcdBinary.find();
    }

    @AfterEach
    void killLeftovers() throws Exception {
        for (Process process : processes) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
        Path pid = data().resolve("etcd/etcd.pid");
        if (Files.exists(pid)) {
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .filter(etcd ->
                            etcd.info().commandLine().orElse("").contains(data().toString()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void servesTheDemoAndResumesAfterARestart() throws Exception {
        Process first = up("--demo", "--demo-rate", "50");
        String url = awaitReady(first);
        assertThat(pods(url)).contains("\"PodList\"");
        ProcessHandle etcd = first.children().findFirst().orElseThrow();

        first.destroy();

        assertThat(first.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(first.exitValue()).as(log(first)).isZero();
        // A busy machine may take too long for a graceful end of everything.
        if (!log(first).contains("is abandoned")) {
            assertThat(etcd.isAlive()).isFalse();
        }
        deleteRecursively(data().resolve("state"));

        Process second = up("--demo");
        String again = awaitReady(second);
        assertThat(log(second)).contains("already loaded");
        assertThat(pods(again)).contains("\"PodList\"");
    }

    @Test
    void cleansUpAfterAKilledProcess() throws Exception {
        Process first = up();
        awaitReady(first);
        ProcessHandle etcd = first.children().findFirst().orElseThrow();
        first.destroyForcibly().waitFor();
        assertThat(etcd.isAlive()).isTrue();

        Process second = up();
        awaitReady(second);

        assertThat(etcd.isAlive()).isFalse();
        second.children().findFirst().orElseThrow().destroyForcibly();
        assertThat(second.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(log(second)).contains("etcd ended with code");
    }

    /** The only member of its group keeps its partitions: no other could take them over. */
    @Test
    @LongTest
    void keepsItsPartitionsWhenTheMachineStalls() throws Exception {
        int port = Ports.pickFree("127.0.0.1");
        Process up = up("--demo", "--demo-rate", "50", "--kafka-port", String.valueOf(port));
        awaitReady(up);
        try (Admin admin = Admin.create(adminOf(port))) {
            String member = member(admin);
            signal(up, "STOP");
            Thread.sleep(Duration.ofSeconds(5));
            signal(up, "CONT");
            long before = committed(admin);
            await().ignoreExceptions().until(() -> committed(admin) > before);
            assertThat(member(admin)).as(log(up)).isEqualTo(member);
        }
    }

    private Map<String, Object> adminOf(int port) throws IOException {
        Properties login = new Properties();
        Path file = KafkaLogins.file(data().resolve("kafka-clients"), KafkaUser.ADMIN);
        try (Reader in = Files.newBufferedReader(file)) {
            login.load(in);
        }
        Map<String, Object> settings = new HashMap<>();
        login.forEach((name, value) -> settings.put(name.toString(), value));
        settings.put("bootstrap.servers", "127.0.0.1:" + port);
        return settings;
    }

    /** The only member of the group: a new id for each time that it joins without its old one. */
    private static String member(Admin admin) throws Exception {
        return admin
                .describeConsumerGroups(List.of(GROUP))
                .all()
                .get()
                .get(GROUP)
                .members()
                .stream()
                .map(MemberDescription::consumerId)
                .collect(Collectors.joining(","));
    }

    private static long committed(Admin admin) throws Exception {
        return admin
                .listConsumerGroupOffsets(GROUP)
                .partitionsToOffsetAndMetadata()
                .get()
                .values()
                .stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    private static void signal(Process process, String name) throws Exception {
        Process kill =
                new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void reportsAFolderAndAPortInUse() throws Exception {
        Process first = up();
        String url = awaitReady(first);
        int port = URI.create(url).getPort();

        Process sameFolder = up();
        Process samePort =
                start("up", "--data", directory + "/other", "--listen", "127.0.0.1:" + port);

        assertThat(sameFolder.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(log(sameFolder)).contains("in use by process " + first.pid());
        assertThat(sameFolder.exitValue()).isEqualTo(1);
        assertThat(samePort.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(log(samePort)).contains("--listen").contains("127.0.0.1:" + port);
        assertThat(samePort.exitValue()).isEqualTo(2);
    }

    @Test
    @LongTest
    void makesTheDataFolderPrivate() throws Exception {
        Path state = Files.createDirectories(data().resolve("state"));
        for (Path open : List.of(data(), state)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Process up = up();
        awaitReady(up);
        for (String folder :
                List.of("", "etcd", "kafka", "kafka-clients", "state", "state/tidemark")) {
            assertThat(mode(data().resolve(folder))).as(folder).isEqualTo("rwx------");
        }
        assertThat(log(up)).contains("was accessible to other users");
        for (KafkaUser user : List.of(KafkaUser.ADMIN, KafkaUser.CONNECTOR, KafkaUser.NODE)) {
            Path login = KafkaLogins.file(data().resolve("kafka-clients"), user);
            assertThat(mode(login)).isEqualTo("rw-------");
            String password = Files.readString(login).split("password=\"")[1].split("\"")[0];
            assertThat(password).hasSize(64);
            assertThat(log(up)).doesNotContain(password);
        }
    }

    @Test
    void refusesADataFolderOfAnotherUser() throws Exception {
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        try {
            Files.setAttribute(foreign, "unix:uid", 12_345);
        } catch (IOException e) {
            abort("needs root, who may give folders away: " + e);
        }
        Path secret =
                Files.createFile(
                        directory.resolve("peer-secret"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "0123456789abcdef0123456789abcdef");
        String node = "node --kafka 127.0.0.1:1 --peer-secret-file " + secret;
        for (String command : List.of("up", "broker", node)) {
            List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
            arguments.addAll(List.of("--listen", "127.0.0.1:" + Ports.pickFree("127.0.0.1")));
            arguments.addAll(List.of("--data", foreign.toString()));
            Process refused = start(arguments.toArray(String[]::new));
            assertThat(refused.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(log(refused)).contains("it belongs to 12345");
            assertThat(refused.exitValue()).isEqualTo(1);
        }
        assertThat(foreign).isEmptyDirectory();
    }

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Process up(String... arguments) throws IOException {
        List<String> all =
                new ArrayList<>(
                        List.of("up", "--data", data().toString(), "--listen", "127.0.0.1:0"));
        all.addAll(List.of(arguments));
        return start(all.toArray(String[]::new));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Xmx512m",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                TidemarkCli.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log-" + processes.size()).toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_"));
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String awaitReady(Process process) {
        await().failFast(() -> assertThat(process.isAlive()).as(log(process)).isTrue())
                .until(() -> readyLine(process).findFirst().isPresent());
        return readyLine(process).findFirst().orElseThrow().split(" ")[1];
    }

    private Stream<String> readyLine(Process process) {
        return log(process).lines().filter(line -> line.startsWith("ready "));
    }

    private String log(Process process) {
        try {
            return Files.readString(
                    directory.resolve("log-" + processes.indexOf(process)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** On a busy machine the first read of the current state may be a 504. */
    private static String pods(String url) throws Exception {
        try (TestHttpClient client = new TestHttpClient(url)) {
            return await().until(() -> client.get(PODS), answer -> answer.status() == 200).text();
        }
    }

    private static void deleteRecursively(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
