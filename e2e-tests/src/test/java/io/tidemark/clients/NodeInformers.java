package io.tidemark.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.clients.Tool.MissingException;
import io.tidemark.harness.Api;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Informers of {@code @kubernetes/client-node} in a separate process; their code is in {@code
 * src/test/js}. Their packages are installed below {@code target} when the lock file has changed.
 */
final class NodeInformers implements InformerClient {
    private static final Path SOURCE = Path.of("src", "test", "js");
    private static final Path INSTALLED = Path.of("target", "js");
    private static final String LOCK = "package-lock.json";
    private static final Duration INSTALL = Duration.ofMinutes(3);

    /** Node.js' and node-fetch's names for a refused or broken connection. */
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("ECONNREFUSED", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE", "EPIPE");

    private final Process process;
    private final Set<WatchedView> views;
    private final Writer input;
    private final ClientErrors complaints = new ClientErrors();
    private final BlockingQueue<JsonNode> states = new ArrayBlockingQueue<>(8);

    private NodeInformers(Process process, Set<WatchedView> views) {
        this.views = views;
        this.process = process;
        input = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().start(this::readOutput);
        Thread.ofPlatform().daemon().start(this::readErrors);
    }

    /**
     * @throws MissingException when Node.js or npm is not there, or npm cannot get the packages
     */
    static NodeInformers start(Login login, Set<WatchedView> followed) throws Exception {
        Tool node = Tool.find("node");
        install();
        ArrayNode views = Api.JSON.createArrayNode();
        for (WatchedView view : followed) {
            var one = views.addObject().put("name", view.name()).put("path", view.path());
            if (!view.labelSelector().isEmpty()) {
                one.put("labelSelector", view.labelSelector());
            }
        }
        return new NodeInformers(
                node.command(List.of("informer.js", server(login), views.toString()))
                        .directory(INSTALLED.toFile())
                        .start(),
                Set.copyOf(followed));
    }

    private static String server(Login login) {
        ObjectNode server = Api.JSON.createObjectNode().put("server", login.url());
        put(server, "caFile", login.ca());
        put(server, "certFile", login.certificate());
        put(server, "keyFile", login.key());
        put(server, "token", login.token());
        return server.toString();
    }

    private static void put(ObjectNode server, String name, @Nullable Object value) {
        if (value != null) {
            server.put(name, value.toString());
        }
    }

    private static void install() throws IOException, InterruptedException, MissingException {
        Files.createDirectories(INSTALLED);
        Path done = INSTALLED.resolve("installed.json");
        for (String file : List.of("package.json", LOCK, ".npmrc", "informer.js")) {
            Files.copy(
                    SOURCE.resolve(file),
                    INSTALLED.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.exists(done) && Files.mismatch(done, SOURCE.resolve(LOCK)) < 0) {
            return;
        }
        ProcessBuilder npm =
                Tool.find("npm")
                        .command(
                                List.of(
                                        "ci",
                                        "--ignore-scripts",
                                        "--prefer-offline",
                                        "--no-audit",
                                        "--no-fund"))
                        .directory(INSTALLED.toFile());
        try {
            Tool.run(npm, INSTALL);
        } catch (IOException e) {
            throw new MissingException(
                    "needs npm's registry, to install the client: " + e.getMessage());
        }
        Files.copy(SOURCE.resolve(LOCK), done, StandardCopyOption.REPLACE_EXISTING);
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                JsonNode said = Api.JSON.readTree(line);
                JsonNode error = said.path("error");
                if (error.isMissingNode()) {
                    states.put(said.has("state") ? said.path("state") : said.path("status"));
                } else {
                    complaints.report(
                            error.toString(),
                            OF_THE_CONNECTION.contains(error.path("code").asText())
                                    || ClientErrors.saysNotReady(error.path("code").asInt()));
                }
            }
        } catch (IOException | InterruptedException e) {
            complaints.report("its output was cut off: " + e, false);
        }
    }

    private void readErrors() {
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                complaints.report(line, false);
            }
        } catch (IOException e) {
            complaints.report("its errors were cut off: " + e, false);
        }
    }

    private JsonNode state() throws IOException, InterruptedException {
        return ask("state");
    }

    @Override
    public int statusOfList(String namespace) throws IOException, InterruptedException {
        return ask("/api/v1/namespaces/" + namespace + "/configmaps").asInt();
    }

    private JsonNode ask(String question) throws IOException, InterruptedException {
        try {
            input.write(question + "\n");
            input.flush();
            JsonNode state = states.poll(1, TimeUnit.MINUTES);
            if (state != null) {
                return state;
            }
        } catch (IOException e) {
            complaints.report("it has ended: " + e, false);
        }
        throw new IOException("the informers do not answer: " + complaints.unexpected());
    }

    @Override
    public String name() {
        return "@kubernetes/client-node";
    }

    @Override
    public Set<WatchedView> views() {
        return views;
    }

    @Override
    public Map<String, String> contents(WatchedView view) throws Exception {
        Map<String, String> versions = new TreeMap<>();
        state().path(view.name())
                .path("objects")
                .properties()
                .forEach(object -> versions.put(object.getKey(), object.getValue().asText()));
        return versions;
    }

    @Override
    public ClientErrors errors() {
        return complaints;
    }

    @Override
    public Traffic traffic() throws Exception {
        JsonNode state = state();
        return new Traffic(sum(state, "lists"), sum(state, "watches"), sum(state, "events"));
    }

    private static long sum(JsonNode state, String what) {
        return state.findValues("counts").stream().mapToLong(at -> at.path(what).asLong()).sum();
    }

    @Override
    public void close() throws Exception {
        input.close();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
