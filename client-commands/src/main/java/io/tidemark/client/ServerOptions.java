package io.tidemark.client;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The server to query, and the color of the output. */
final class ServerOptions {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "URL of the node to query (default: ${DEFAULT-VALUE}).")
    private String server = "http://127.0.0.1:8080";

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description =
                    "auto, always or never; auto means on a terminal unless NO_COLOR is set"
                            + " (default: ${DEFAULT-VALUE}).")
    private String color = "auto";

    /**
     * @throws UsageException when the URL is invalid
     */
    NodeApiClient api() {
        String text = server.contains("://") ? server : "http://" + server;
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null
                    && uri.getScheme().toLowerCase(Locale.ROOT).startsWith("http")) {
                return new NodeApiClient(uri);
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new UsageException(
                "--server: '%s' is not a URL such as http://127.0.0.1:8080".formatted(server));
    }

    Terminal terminal(CommandSpec spec) {
        boolean colours =
                switch (color) {
                    case "always" -> true;
                    case "never" -> false;
                    case "auto" ->
                            Terminal.isColourful(
                                    Optional.ofNullable(System.getenv("NO_COLOR")).orElse(""));
                    default ->
                            throw new UsageException(
                                    "--color: '%s' is none of auto, always, never"
                                            .formatted(color));
                };
        return new Terminal(spec.commandLine().getOut(), spec.commandLine().getErr(), colours);
    }
}
