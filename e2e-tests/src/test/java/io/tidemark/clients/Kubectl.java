package io.tidemark.clients;

import io.tidemark.clients.Tool.MissingException;
import io.tidemark.harness.Api;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code kubectl} configured only with the server's address. */
record Kubectl(Tool tool, String url, Path folder) {
    static Kubectl find(String url, Path folder) throws MissingException {
        return new Kubectl(Tool.find("kubectl"), url, folder);
    }

    /** The second part of its version. */
    int minorVersion() throws IOException, InterruptedException {
        String said =
                Tool.run(
                        tool.command(List.of("version", "--client", "-o", "json")),
                        Duration.ofSeconds(30));
        String minor = Api.JSON.readTree(said).at("/clientVersion/minor").asText();
        return Integer.parseInt(minor.replaceAll("\\D.*", ""));
    }

    Process start(String... arguments) throws IOException {
        return command(arguments).start();
    }

    ProcessBuilder command(String... arguments) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "--server",
                                url,
                                "--cache-dir",
                                folder.resolve("cache").toString()));
        all.addAll(List.of(arguments));
        ProcessBuilder command = tool.command(all);
        command.environment().put("HOME", folder.toString());
        command.environment().remove("KUBECONFIG");
        return command;
    }
}
