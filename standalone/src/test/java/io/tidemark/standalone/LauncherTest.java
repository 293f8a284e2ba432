package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.standalone.options.MemoryPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./tidemark}, with a fake Java and Maven that print their arguments. */
class LauncherTest {
    @TempDir Path directory;

    private Path home;
    private Path tools;

    private record Ended(int code, String output) {}

    @BeforeEach
    void copyTheLauncher() throws Exception {
        home = Files.createDirectory(directory.resolve("tidemark home"));
        tools = Files.createDirectory(directory.resolve("tools"));
        Path launcher = Path.of("..", "tidemark").toAbsolutePath().normalize();
        Files.copy(launcher, home.resolve("tidemark"));
        executable(home.resolve("tidemark"));
    }

    @Test
    void distributionRunsItsJarsWithUnchangedArguments() throws Exception {
        Files.createDirectory(home.resolve("lib"));

        Ended ended = run(java("25.0.3"), "up", "--data", "two words");

        assertThat(ended.code()).as(ended.output()).isEqualTo(7);
        assertThat(ended.output())
                .contains("-cp", home.toRealPath() + "/lib/*", "io.tidemark.standalone.TidemarkCli")
                .endsWith("up\n--data\ntwo words\n");
    }

    @Test
    void resolvesSymlinksToItself() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        Path first = Files.createSymbolicLink(directory.resolve("first"), home.resolve("tidemark"));
        Path second = Files.createSymbolicLink(tools.resolve("second"), Path.of("../first"));

        Ended ended = run(second, java("25"), List.of("doctor"));

        assertThat(first).isSymbolicLink();
        assertThat(ended.output()).contains(home.toRealPath() + "/lib/*").endsWith("doctor\n");
    }

    @Test
    void passesJvmOptionsFromAVariable() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        Map<String, String> environment =
                Map.of("JAVA_HOME", java("26"), "TIDEMARK_JAVA_OPTS", "-Xmx3g -Xss1m");

        Ended ended = run(home.resolve("tidemark"), environment, List.of("up"));

        assertThat(ended.output()).contains("-Xmx3g\n-Xss1m\n");
    }

    @Test
    void dividesTheMemoryOfAServer() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        Path file = Files.writeString(directory.resolve("file"), "# a comment\nmemory = 3g\n");
        Map<String, String> variable = Map.of("JAVA_HOME", java("25"), "TIDEMARK_MEMORY", "3g");

        assertThat(run(java("25"), "up").output())
                .contains("-Xmx896m\n-XX:MaxDirectMemorySize=448m\n");
        assertThat(run(java("25"), "doctor").output()).contains("-XX:MaxRAMPercentage=33\n");
        assertThat(run(java("25"), "node", "--memory", "512m").output()).contains("-Xmx128m\n");
        assertThat(run(java("25"), "node", "--memory=4g").output()).contains("-Xmx1920m\n");
        assertThat(run(java("25"), "up", "--config", file.toString()).output())
                .contains("-Xmx1408m\n");
        assertThat(run(home.resolve("tidemark"), variable, List.of("up")).output())
                .contains("-Xmx1408m\n");
        assertThat(
                        run(
                                        home.resolve("tidemark"),
                                        variable,
                                        List.of("up", "--memory", "1073741824"))
                                .output())
                .contains("-Xmx384m\n");
    }

    @Test
    void readsTheMemoryOfAnyPropertiesFile() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        Path file = directory.resolve("file");

        for (String line :
                List.of(
                        "memory=3g\r\n",
                        "memory = 3g  \t\n",
                        " memory 3g\n",
                        "memory\t: 3g",
                        "memory.x=1g\nmemory=3g\nmemoryless=1g\n")) {
            Files.writeString(file, line);
            assertThat(run(java("25"), "up", "--config", file.toString()).output())
                    .as(line)
                    .contains("-Xmx1408m\n");
        }
    }

    @Test
    void leavesAWrongSizeToTheProgram() throws Exception {
        Files.createDirectory(home.resolve("lib"));

        for (String size : List.of("much", "-1g", "1.5g", "99999999999999999999g", "1m")) {
            Ended ended = run(java("25"), "up", "--memory", size);

            assertThat(ended.output())
                    .as(size)
                    .contains("-Xmx128m\n")
                    .endsWith("up\n--memory\n" + size + "\n");
        }
    }

    /** The launcher and the program divide by the same rule. */
    @Test
    void dividesAsTheProgramDoes() throws Exception {
        Files.createDirectory(home.resolve("lib"));

        for (long mebibytes : List.of(512L, 777L, 1024L, 4096L)) {
            MemoryPlan plan = MemoryPlan.of(mebibytes << 20);
            String output = run(java("25"), "node", "--memory", mebibytes + "m").output();
            assertThat(output)
                    .contains("-Xmx%dm\n".formatted(2 * (plan.direct() >> 20)))
                    .contains("-XX:MaxDirectMemorySize=%dm\n".formatted(plan.direct() >> 20));
        }
    }

    /** As a shell's arithmetic they would be octal numbers. */
    @Test
    void readsSizesThatBeginWithZeros() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        String plain = run(java("25"), "node", "--memory", "800m").output();
        for (String size : List.of("0800m", "000800m")) {
            assertThat(run(java("25"), "node", "--memory", size).output())
                    .isEqualTo(plain.replace("800m\n", size + "\n"));
        }
    }

    @Test
    void usesTheAotCacheOfTheBuild() throws Exception {
        Path lib = Files.createDirectory(home.resolve("lib"));
        Files.createFile(lib.resolve("b.jar"));
        Files.createFile(lib.resolve("a.jar"));
        Path cache = Files.createFile(home.resolve("start.aot"));

        assertThat(run(java("25"), "up").output())
                .contains("-XX:AOTCache=" + cache.toRealPath())
                .contains("\n%1$s/a.jar:%1$s/b.jar\n".formatted(lib.toRealPath()));
    }

    @Test
    void failedTrialRunLeavesNoAotCache() throws Exception {
        Files.createDirectory(home.resolve("lib"));

        Ended ended = run(java("25"), "build", "--fast-start");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).contains("no faster starts");
        assertThat(home.resolve("start.aot")).doesNotExist();
    }

    @Test
    void endedPreparationLeavesNoTrialRun() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        Path begun = directory.resolve("begun");
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        String javaHome = java("25");
        script(
                Path.of(javaHome, "bin", "java"),
                "echo $$ >'%1$s.new'; mv '%1$s.new' '%1$s'; exec sleep 600".formatted(begun));
        Map<String, String> environment =
                Map.of("JAVA_HOME", javaHome, "TMPDIR", temporary.toString());
        Path output = directory.resolve("output");
        Process launcher =
                start(
                        home.resolve("tidemark"),
                        environment,
                        List.of("build", "--fast-start"),
                        output);
        await().until(() -> Files.exists(begun));
        ProcessHandle trial =
                ProcessHandle.of(Long.parseLong(Files.readString(begun).strip())).orElseThrow();
        try {
            launcher.destroy();

            assertThat(ended(launcher, output).code()).isEqualTo(128 + 15);
            assertThat(trial.isAlive()).isFalse();
            assertThat(temporary).isEmptyDirectory();
        } finally {
            trial.destroyForcibly();
        }
    }

    @Test
    void skipsAnOldJava() throws Exception {
        Files.createDirectory(home.resolve("lib"));

        Ended ended = run(java("17.0.9"), "up");

        // This machine has another Java, or the message says what to install.
        assertThat(ended.output()).doesNotContain("fake java 17.0.9");
    }

    @Test
    void runsNoProgramOfTheWorkingFolder() throws Exception {
        Files.createDirectory(home.resolve("lib"));
        script(tools.resolve("readlink"), "echo planted >&2; exit 1");
        script(tools.resolve("dirname"), "echo planted >&2; exit 1");
        script(tools.resolve("java"), "echo planted >&2; exit 1");
        Map<String, String> environment =
                Map.of("JAVA_HOME", java("25"), "PATH", ".::../tools:/usr/bin:/bin");

        Ended ended = run(home.resolve("tidemark"), environment, List.of("up"));

        assertThat(ended.output()).contains("fake java 25").doesNotContain("planted");
        assertThat(ended.code()).isEqualTo(7);
    }

    @Test
    void buildsACheckoutOnFirstUseAndAfterChanges() throws Exception {
        checkout();
        Path source = home.resolve("module/src/main/java/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class A {}");
        maven(0);

        assertThat(run(java("25"), "build").output()).contains("first use", "built in");
        assertThat(run(java("25"), "build").output()).isEmpty();
        Files.setLastModifiedTime(
                source,
                java.nio.file.attribute.FileTime.from(java.time.Instant.now().plusSeconds(5)));
        assertThat(run(java("25"), "build").output()).contains("A.java changed", "built in");
    }

    @Test
    void rebuildsAfterARemovedSource() throws Exception {
        checkout();
        Path source = home.resolve("module/src/main/java/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class A {}");
        maven(0);
        assertThat(run(java("25"), "build").code()).isZero();

        Files.delete(source);

        assertThat(run(java("25"), "build").output()).contains("list of sources changed");
    }

    @Test
    void failedBuildShowsItsErrorsAndExitsWithOne() throws Exception {
        checkout();
        maven(1);

        Ended ended = run(java("25"), "up");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).contains("[ERROR] a mistake", "the build failed", "build.log");
    }

    /** A killed build leaves its lock, and another process may have its id by now. */
    @Test
    void buildsDespiteTheLockOfAProcessThatHasEnded() throws Exception {
        checkout();
        maven(0);
        Path lock = Files.createDirectories(home.resolve(".tools")).resolve("building");
        for (String holder : List.of("999999999 tidemark", ProcessHandle.current().pid() + " sh")) {
            Files.createSymbolicLink(lock, Path.of(holder));

            Ended ended = run(java("25"), "build");

            assertThat(ended.output()).as(holder).contains("built in").doesNotContain("waiting");
            assertThat(lock).doesNotExist();
            Files.delete(home.resolve("standalone/target/dist/built"));
        }
    }

    @Test
    void oneOfManyBuildsWhileTheOthersWait() throws Exception {
        checkout();
        Path lock = Files.createDirectories(home.resolve(".tools")).resolve("building");
        Files.createSymbolicLink(lock, Path.of("999999999 tidemark"));
        // Ends when every launcher builds or waits.
        maven(
                """
                cd '%s'; echo build >>builds
                until [ "$(cat builds output-* | grep -c -e '^build$' -e waiting)" -ge 4 ]; do
                    sleep 0.1
                done\
                """
                        .formatted(directory),
                0);
        Map<Path, Process> launchers = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            Path output = directory.resolve("output-" + i);
            launchers.put(
                    output,
                    start(
                            home.resolve("tidemark"),
                            Map.of("JAVA_HOME", java("25")),
                            List.of("build"),
                            output));
        }

        StringBuilder outputs = new StringBuilder();
        for (Map.Entry<Path, Process> launcher : launchers.entrySet()) {
            Ended ended = ended(launcher.getValue(), launcher.getKey());
            assertThat(ended.code()).as(ended.output()).isZero();
            outputs.append(ended.output());
        }
        assertThat(directory.resolve("builds")).hasContent("build");
        assertThat(outputs)
                .contains("waiting for the build of process ")
                .contains("remove " + home.toRealPath() + "/.tools/building");
    }

    private void checkout() throws IOException {
        Files.createDirectories(home.resolve("module/src/main"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.writeString(home.resolve("module/pom.xml"), "<project/>");
    }

    private Ended run(String javaHome, String... arguments) throws Exception {
        return run(home.resolve("tidemark"), javaHome, List.of(arguments));
    }

    private Ended run(Path launcher, String javaHome, List<String> arguments) throws Exception {
        return run(launcher, Map.of("JAVA_HOME", javaHome), arguments);
    }

    private Ended run(Path launcher, Map<String, String> environment, List<String> arguments)
            throws Exception {
        Path output = Files.createTempFile(directory, "output", "");
        return ended(start(launcher, environment, arguments, output), output);
    }

    private Process start(
            Path launcher, Map<String, String> environment, List<String> arguments, Path output)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(tools.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools + ":/usr/bin:/bin");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Ended ended(Process process, Path output) throws Exception {
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /** A Java home whose programs print their arguments, one per line, and exit with 7. */
    private String java(String version) throws IOException {
        Path javaHome = directory.resolve("java-" + version);
        if (!Files.exists(javaHome)) {
            Files.createDirectories(javaHome.resolve("bin"));
            Files.writeString(javaHome.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
            for (String program : List.of("java", "javac")) {
                script(
                        javaHome.resolve("bin").resolve(program),
                        "echo 'fake java " + version + "'; printf '%s\\n' \"$@\"; exit 7");
            }
        }
        return javaHome.toString();
    }

    private void maven(int code) throws IOException {
        maven(":", code);
    }

    private void maven(String first, int code) throws IOException {
        script(
                tools.resolve("mvn"),
                first
                        + "; echo '[INFO] Building Tidemark something 1 [1/2]'; echo '[ERROR] a"
                        + " mistake'; mkdir -p '"
                        + home
                        + "/standalone/target/dist/lib'; exit "
                        + code);
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        executable(file);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
