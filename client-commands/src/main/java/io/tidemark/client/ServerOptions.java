package io.tidemark.client;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The server to query, and the color of the output. */
public final class ServerOptions {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "URL of the node to query (default: ${DEFAULT-VALUE}).")
    private String server = "http://127.0.0.1:8080";

    @Option(
            names = "--certificate-authority",
            paramLabel = "FILE",
            description =
                    "PEM file with the authorities that the server's certificate must be of, for"
                            + " https.")
    private @Nullable Path authority;

    @Option(
            names = "--client-certificate",
            paramLabel = "FILE",
            description = "PEM file with the certificate by which the server knows this client.")
    private @Nullable Path certificate;

    @Option(
            names = "--client-key",
            paramLabel = "FILE",
            description =
                    "PEM file with the private key of --client-certificate, which only its owner"
                            + " may read.")
    private @Nullable Path key;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description =
                    "auto, always or never; auto means on a terminal unless NO_COLOR is set"
                            + " (default: ${DEFAULT-VALUE}).")
    private String color = "auto";

    /**
     * @throws UsageException when the URL is invalid, or a file cannot be used
     */
    public NodeApiClient api() {
        return new NodeApiClient(url(), tls());
    }

    private URI url() {
        String text = server.contains("://") ? server : "http://" + server;
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null
                    && uri.getScheme().toLowerCase(Locale.ROOT).startsWith("http")) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new UsageException(
                "--server: '%s' is not a URL such as http://127.0.0.1:8080".formatted(server));
    }

    /** Empty when the JDK's own authorities are to be trusted. */
    private Optional<SSLContext> tls() {
        requireWholePair();
        if (authority == null) {
            if (certificate != null) {
                throw new UsageException("--client-certificate needs --certificate-authority FILE");
            }
            return Optional.empty();
        }
        try {
            Optional<TlsIdentity> identity =
                    certificate == null || key == null
                            ? Optional.empty()
                            : Optional.of(TlsIdentity.read(certificate, key));
            return Optional.of(TlsContexts.of(identity, TlsIdentity.readAuthorities(authority)));
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private void requireWholePair() {
        if ((certificate == null) != (key == null)) {
            throw new UsageException("--client-certificate and --client-key need each other");
        }
    }

    /**
     * A kubeconfig for this server, with the same certificates.
     *
     * @param path below the server, such as {@code /at/4711}
     * @throws UsageException when the URL is invalid, or a certificate has no key
     */
    String kubeconfig(String path) {
        requireWholePair();
        StringBuilder text = new StringBuilder("apiVersion: v1\nkind: Config\nclusters:\n");
        text.append("- name: tidemark\n  cluster:\n    server: ");
        text.append(quoted(url().toString().replaceAll("/+$", "") + path)).append('\n');
        if (authority != null) {
            text.append("    certificate-authority: ").append(quoted(authority)).append('\n');
        }
        text.append("users:\n- name: tidemark\n  user:");
        if (certificate == null || key == null) {
            text.append(" {}\n");
        } else {
            text.append("\n    client-certificate: ").append(quoted(certificate));
            text.append("\n    client-key: ").append(quoted(key)).append('\n');
        }
        text.append("contexts:\n- name: tidemark\n");
        text.append("  context: {cluster: tidemark, user: tidemark}\n");
        return text.append("current-context: tidemark\n").toString();
    }

    /** As YAML, which JSON is a part of. */
    private static String quoted(Object value) {
        return TextNode.valueOf(
                        value instanceof Path path
                                ? path.toAbsolutePath().toString()
                                : value.toString())
                .toString();
    }

    public Terminal terminal(CommandSpec spec) {
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
