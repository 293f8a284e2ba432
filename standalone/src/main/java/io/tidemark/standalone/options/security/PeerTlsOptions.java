package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.MutualTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** TLS between the nodes and connectors of a group. */
public final class PeerTlsOptions {
    @Option(
            names = "--peer-tls-cert",
            paramLabel = "FILE",
            description = {
                "PEM file with this process's certificate for the group's nodes and connectors,"
                        + " for servers and",
                "clients, and with the names and addresses at which others reach it. With it,"
                        + " they speak TLS only.",
                "Needs --peer-tls-key and --peer-ca; all are read again when they change."
            })
    private @Nullable Path certificate;

    @Option(
            names = "--peer-tls-key",
            paramLabel = "FILE",
            description =
                    "PEM file with the private key of --peer-tls-cert, which only its owner may"
                            + " read (mode 0600).")
    private @Nullable Path key;

    @Option(
            names = "--peer-ca",
            paramLabel = "FILE",
            description = {
                "PEM file with the authorities of the group's certificates. A node or connector"
                        + " with a certificate",
                "of another authority is refused."
            })
    private @Nullable Path authorities;

    /** What protects the listener for members. */
    public StartupRule.Protection protection() {
        return new StartupRule.Protection.OfMembers(certificate != null);
    }

    /**
     * Empty for plain HTTP.
     *
     * @throws UsageException if one of the three is missing, or a file cannot be used
     */
    public Optional<MutualTls> tls() {
        if (certificate == null && key == null && authorities == null) {
            return Optional.empty();
        }
        if (certificate == null || key == null || authorities == null) {
            throw new UsageException(
                    "give all three, or none: --peer-tls-cert FILE --peer-tls-key FILE --peer-ca"
                            + " FILE");
        }
        try {
            return Optional.of(new MutualTls(certificate, key, authorities));
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
