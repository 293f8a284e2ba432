package io.tidemark.clients;

import io.tidemark.clients.Tool.MissingException;
import io.tidemark.harness.Api;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code kubectl} configured only with the server's address and a login. */
record Kubectl(Tool tool, Login login, Path folder) {
    /** What it prints to standard error when it was told so. */
    static final String NO_HTTP2 = "HTTP2 has been explicitly disabled";

    private static final Duration LONGEST = Duration.ofMinutes(3);

    static Kubectl find(Login login, Path folder) throws MissingException {
        return new Kubectl(Tool.find("kubectl"), login, folder);
    }

    /** What a command printed, both streams together; fails if the command does. */
    String run(String... arguments) throws IOException, InterruptedException {
        return Tool.run(command(arguments), LONGEST);
    }

    /** The second part of its version. */
    int minorVersion() throws IOException, InterruptedException {
        String said = Tool.run(tool.command(List.of("version", "--client", "-o", "json")), LONGEST);
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
                                login.url(),
                                "--cache-dir",
                                folder.resolve("cache").toString()));
        add(all, "--certificate-authority", login.ca());
        add(all, "--client-certificate", login.certificate());
        add(all, "--client-key", login.key());
        add(all, "--token", login.token());
        all.addAll(List.of(arguments));
        ProcessBuilder command = tool.command(all);
        command.environment().put("HOME", folder.toString());
        command.environment().remove("KUBECONFIG");
        if (!login.http2()) {
            command.environment().put("DISABLE_HTTP2", "1");
        }
        return command;
    }

    private static void add(List<String> arguments, String option, @Nullable Object value) {
        if (value != null) {
            arguments.addAll(List.of(option, value.toString()));
        }
    }
}
