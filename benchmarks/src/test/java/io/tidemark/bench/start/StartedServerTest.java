package io.tidemark.bench.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartedServerTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir private Path folder;

    private Path data;
    private Path log;
    private URI base;

    @BeforeEach
    void prepare() throws IOException {
        data = folder.resolve("data");
        log = folder.resolve("a.log");
        base = SmallServer.freeAddress();
    }

    private StartedServer server(SmallServer.Kind kind, Duration ready, Duration end)
            throws Exception {
        return new StartedServer(
                target(base), SmallServer.command(kind, base, data), log, ready, end);
    }

    private static Target target(URI base) throws Exception {
        return new Target("a", base, null, SSLContext.getDefault(), false, 0);
    }

    private String starts(String part) throws IOException {
        return Files.readString(data.resolve(part).resolve("starts"));
    }

    @Test
    void startsAgainOnTheDataThatIsLeft() throws Exception {
        try (StartedServer server = server(SmallServer.Kind.USUAL, LONG, LONG)) {
            assertThat(server.hasData()).isFalse();
            assertThat(server.start()).isGreaterThan(Duration.ofMillis(100));
            assertThat(server.hasData()).isTrue();
            long process = server.target().process();
            assertThat(ProcessHandle.of(process).orElseThrow().info().command())
                    .hasValueSatisfying(command -> assertThat(command).endsWith("java"));
            server.stop();
            assertThat(ProcessHandle.of(process)).isEmpty();

            server.start();
            server.stop();
            assertThat(starts("kept")).isEqualTo("2");
            assertThat(starts("state")).isEqualTo("2");

            server.removeState();
            server.start();
            server.stop();
            assertThat(starts("kept")).isEqualTo("3");
            assertThat(starts("state")).isEqualTo("1");

            server.removeData();
            assertThat(server.hasData()).isFalse();
            assertThat(data).isEmptyDirectory();
        }
    }

    @Test
    void saysWithWhichCodeAServerEndedBeforeItWasReady() throws Exception {
        try (StartedServer server = server(SmallServer.Kind.ENDS, LONG, LONG)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(IOException.class)
                    .hasMessage("ended with exit code 3 before it was ready");
            assertThat(server.hasData()).isFalse();
            assertThat(log).content().contains("--- start of a, 2", "it ends");
        }
    }

    @Test
    void endsAServerThatIsNotReadyInTime() throws Exception {
        Duration patience = Duration.ofSeconds(3);
        try (StartedServer server = server(SmallServer.Kind.NEVER_READY, patience, LONG)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("not ready within 3 s: ");
            assertThat(ProcessHandle.of(server.target().process())).isEmpty();
        }
    }

    @Test
    void killsAServerThatIgnoresSigterm() throws Exception {
        Duration patience = Duration.ofMillis(500);
        try (StartedServer server = server(SmallServer.Kind.IGNORES_SIGTERM, LONG, patience)) {
            server.start();
            assertThatThrownBy(server::stop)
                    .isInstanceOf(IOException.class)
                    .hasMessage("did not end within 0 s of SIGTERM and was killed");
            assertThat(ProcessHandle.of(server.target().process())).isEmpty();
        }
    }

    @Test
    void closeEndsTheProcessAndPreventsAnother() throws Exception {
        try (StartedServer server = server(SmallServer.Kind.USUAL, LONG, LONG)) {
            server.start();
            server.close();
            assertThat(ProcessHandle.of(server.target().process())).isEmpty();
            assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesADataFolderThatTheServerDoesNotUse() throws Exception {
        Path other = folder.resolve("other");
        StartCommand command =
                new StartCommand(SmallServer.line(SmallServer.Kind.USUAL, base, data), other, null);
        try (StartedServer server = new StartedServer(target(base), command, log)) {
            assertThatThrownBy(server::start)
                    .hasMessageStartingWith("stored nothing in its data folder " + other);
            assertThat(ProcessHandle.of(server.target().process())).isEmpty();
        }
    }

    @Test
    void removesNothingThatWasThereBeforeTheFirstStart() throws Exception {
        Path file = Files.createDirectories(data).resolve("precious");
        Files.writeString(file, "x");
        try (StartedServer server = server(SmallServer.Kind.USUAL, LONG, LONG)) {
            assertThatThrownBy(server::requireUnused)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not an empty folder");
            assertThatThrownBy(server::removeData).isInstanceOf(IOException.class);
        }
        assertThat(file).exists();
    }

    @Test
    void refusesAStateFolderBehindASymlink() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside/state"));
        Files.writeString(outside.resolve("precious"), "x");
        Path link = data.resolve("link");
        StartCommand command =
                new StartCommand(
                        SmallServer.line(SmallServer.Kind.USUAL, base, data),
                        data,
                        link.resolve("state"));
        try (StartedServer server = new StartedServer(target(base), command, log)) {
            server.start();
            server.stop();
            Files.createSymbolicLink(link, outside.getParent());
            assertThatThrownBy(server::removeState).hasMessageContaining("is outside of");
            server.removeData();
        }
        assertThat(outside.resolve("precious")).exists();
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void refusesAnAddressAtWhichAServerListens() throws Exception {
        StartCommand command = new StartCommand("true", null, null);
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Target target = target(URI.create("http://127.0.0.1:" + other.getLocalPort()));
            assertThatThrownBy(() ->
                            StartedServers.begin(List.of(target), Map.of("a", command), folder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("listens at http://127.0.0.1:");
        }
    }

    @Test
    void theStateFolderIsInsideTheDataFolder() {
        assertThatThrownBy(() -> new StartCommand("a", data, data.resolve("../state")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("is not inside a data folder");
        assertThatThrownBy(() -> new StartCommand("a", data, data))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StartCommand("a", null, data))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
