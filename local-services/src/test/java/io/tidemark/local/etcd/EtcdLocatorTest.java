package io.tidemark.local.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdLocatorTest {
    @TempDir Path directory;

    private final AtomicInteger fetches = new AtomicInteger();
    private Path named;
    private Path onPath;
    private Path cache;

    @BeforeEach
    void folders() {
        named = directory.resolve("named");
        onPath = directory.resolve("path");
        cache = directory.resolve("cache");
    }

    @Test
    void variableWinsEvenWithAnOldVersion() throws Exception {
        program(named.resolve("etcd"), "3.4.23");
        program(onPath.resolve("etcd"), "3.5.16");

        EtcdBinary found = locator(Map.of("TIDEMARK_ETCD_BINARY", named.toString())).find(_ -> {});

        assertThat(found.etcd()).isEqualTo(named.resolve("etcd"));
        assertThat(found.version()).isEqualTo(Version.parse("3.4.23"));
    }

    @Test
    void unusableVariableIsAnError() throws Exception {
        program(onPath.resolve("etcd"), "3.5.16");

        assertThatThrownBy(() -> locator(Map.of("TIDEMARK_ETCD_BINARY", "/nowhere")).find(_ -> {}))
                .isInstanceOf(EtcdUnavailableException.class)
                .hasMessageContaining("TIDEMARK_ETCD_BINARY")
                .hasMessageContaining("/nowhere");
    }

    @Test
    void pathWinsOverAnEarlierFetch() throws Exception {
        program(onPath.resolve("etcd"), "3.5.13");
        program(cache.resolve("etcd/bin/etcd"), "3.5.16");

        assertThat(locator(Map.of()).find(_ -> {}).etcd()).isEqualTo(onPath.resolve("etcd"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.9", "3.5.12", "unknown"})
    void skipsAnOldOrUnknownVersionOnThePath(String version) throws Exception {
        program(onPath.resolve("etcd"), version);
        program(cache.resolve("etcd/bin/etcd"), "3.5.16");

        assertThat(locator(Map.of()).find(_ -> {}).etcd())
                .isEqualTo(cache.resolve("etcd/bin/etcd"));
    }

    @Test
    void runsNoProgramOfTheWorkingFolder() throws Exception {
        Path planted = directory.resolve("folder");
        program(planted.resolve(".tools/etcd/bin/etcd"), "3.5.16");
        program(planted.resolve("etcd"), "3.5.16");
        Files.createFile(planted.resolve("tidemark"));
        Files.createFile(planted.resolve("pom.xml"));
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                EtcdFetch.class.getName())
                        .directory(planted.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", ".::.tools/etcd/bin");
        builder.environment().put("HOME", cache.toString());

        Process process = builder.start();

        // There is nothing else to find, and no apt-get to fetch with.
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(output)).contains("no etcd", "there is no apt-get");
        assertThat(process.exitValue()).isEqualTo(1);
    }

    @Test
    void runsNoProgramThatOthersCouldHaveWritten() throws Exception {
        Path etcd = cache.resolve("etcd/bin/etcd");
        program(etcd, "3.5.16");
        Files.setPosixFilePermissions(
                etcd.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(locator(Map.of()).findPresent()).isEmpty();
    }

    @Test
    void fetchesIntoNoFolderThatOthersCanWrite() throws Exception {
        Files.createDirectories(cache);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxr-x"));

        assertThatThrownBy(() -> locator(Map.of()).find(_ -> {}))
                .isInstanceOf(EtcdUnavailableException.class)
                .hasMessageContaining("others may write to " + cache);
        assertThat(fetches).hasValue(0);
    }

    @Test
    void fetchesNothingWithoutAHome() {
        assertThatThrownBy(() ->
                        new EtcdLocator(Map.of(), Optional.empty(), (_, _) -> {}).find(_ -> {}))
                .isInstanceOf(EtcdUnavailableException.class)
                .hasMessageContaining("no home folder");
    }

    @Test
    void fetchesTheNewestRegardlessOfThePath() throws Exception {
        program(onPath.resolve("etcd"), "3.5.16");
        program(cache.resolve("etcd/bin/etcd"), "3.5.16");

        EtcdBinary found = locator(Map.of("TIDEMARK_ETCD_RELEASE", "newest")).find(_ -> {});

        assertThat(found.etcd()).isEqualTo(cache.resolve("etcd-newest/bin/etcd"));
        assertThat(fetches).hasValue(1);
        assertThatThrownBy(() -> locator(Map.of("TIDEMARK_ETCD_RELEASE", "oldest")))
                .isInstanceOf(EtcdUnavailableException.class)
                .hasMessageContaining("newest");
    }

    @Test
    void reusesAnEarlierFetch() throws Exception {
        EtcdBinary fetched = locator(Map.of()).find(_ -> {});
        EtcdBinary again = locator(Map.of()).find(_ -> {});

        assertThat(fetched.etcd()).isEqualTo(cache.resolve("etcd/bin/etcd"));
        assertThat(again.etcd()).isEqualTo(fetched.etcd());
        assertThat(fetches).hasValue(1);
    }

    @Test
    void concurrentCallersFetchOnce() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<EtcdBinary>> seekers =
                    IntStream.range(0, 8)
                            .mapToObj(_ -> CompletableFuture.supplyAsync(this::find, executor))
                            .toList();
            for (CompletableFuture<EtcdBinary> seeker : seekers) {
                assertThat(seeker.get(3, TimeUnit.MINUTES).version())
                        .isEqualTo(Version.parse("3.5.16"));
            }
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void errorNamesSkippedCandidatesAndAdvice() throws Exception {
        program(onPath.resolve("etcd"), "3.4.23");
        EtcdLocator locator =
                new EtcdLocator(
                        Map.of("PATH", onPath.toString()),
                        Optional.of(cache),
                        (folder, progress) -> {
                            throw new IOException("no network");
                        });

        assertThatThrownBy(() -> locator.find(_ -> {}))
                .isInstanceOf(EtcdUnavailableException.class)
                .hasMessageContaining("3.4.23")
                .hasMessageContaining("no network")
                .hasMessageContaining("Install etcd")
                .hasMessageContaining("--etcd");
    }

    private EtcdBinary find() {
        try {
            return locator(Map.of()).find(_ -> {});
        } catch (EtcdUnavailableException e) {
            throw new AssertionError(e);
        }
    }

    private EtcdLocator locator(Map<String, String> environment) throws EtcdUnavailableException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PATH", onPath.toString());
        return new EtcdLocator(
                all,
                Optional.of(cache),
                (folder, _) -> {
                    fetches.incrementAndGet();
                    program(folder.resolve("bin/etcd"), "3.5.16");
                });
    }

    private static void program(Path file, String version) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\necho \"etcd Version: " + version + "\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
