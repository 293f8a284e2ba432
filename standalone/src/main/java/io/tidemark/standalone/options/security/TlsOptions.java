package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.ServerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The certificate of a node's client listener. */
public final class TlsOptions {
    private static final String SELF_SIGNED = "self-signed";

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = {
                "PEM file with the certificate of --listen, followed by those of its issuers; with"
                        + " it, clients use",
                "https (HTTP/2 or HTTP/1.1, TLS 1.3 or 1.2). Needs --tls-key. Both are read again"
                        + " when they change."
            })
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description =
                    "PEM file with the private key of --tls-cert, which only its owner may read"
                            + " (mode 0600).")
    private @Nullable Path key;

    @Option(
            names = "--tls",
            paramLabel = SELF_SIGNED,
            description = {
                "'self-signed' makes a certificate for trials in DATA/tls, valid for a year;"
                        + " clients trust it by",
                "DATA/tls/ca.crt."
            })
    private String made = "";

    @Option(
            names = "--client-ca",
            paramLabel = "FILE",
            description = {
                "PEM file with the authorities whose client certificates are accepted. A"
                        + " certificate of another",
                "authority is refused. It is read again when it changes."
            })
    private @Nullable Path clientAuthorities;

    /**
     * Empty for plain HTTP.
     *
     * @param data the data folder, for a certificate that this makes
     * @param hosts names and addresses of a certificate that this makes
     * @throws UsageException if the options contradict each other, or a file cannot be used
     */
    public Optional<ServerTls> server(Path data, List<String> hosts) {
        requireConsistent();
        try {
            if (!made.isEmpty()) {
                TrialCertificate trial = TrialCertificate.in(data, hosts);
                return Optional.of(
                        new ServerTls(
                                trial.certificate(),
                                trial.key(),
                                Optional.ofNullable(clientAuthorities)));
            }
            if (certificate == null || key == null) {
                return Optional.empty();
            }
            return Optional.of(
                    new ServerTls(certificate, key, Optional.ofNullable(clientAuthorities)));
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** The authorities of client certificates; empty if clients are not asked for one. */
    Optional<Path> clientAuthorities() {
        return Optional.ofNullable(clientAuthorities);
    }

    /** Whether clients speak TLS. */
    public boolean isGiven() {
        return certificate != null || !made.isEmpty();
    }

    public Optional<Path> madeAuthority(Path data) {
        return made.isEmpty()
                ? Optional.empty()
                : Optional.of(TrialCertificate.namesIn(data).authority());
    }

    private void requireConsistent() {
        if (!made.isEmpty() && !made.equals(SELF_SIGNED)) {
            throw new UsageException("--tls must be 'self-signed', not '%s'".formatted(made));
        }
        if (!made.isEmpty() && (certificate != null || key != null)) {
            throw new UsageException(
                    "give --tls self-signed, or --tls-cert and --tls-key, not both");
        }
        if (certificate != null && key == null) {
            throw new UsageException("--tls-cert needs --tls-key FILE");
        }
        if (key != null && certificate == null) {
            throw new UsageException("--tls-key needs --tls-cert FILE");
        }
        if (clientAuthorities != null && certificate == null && made.isEmpty()) {
            throw new UsageException(
                    "--client-ca needs TLS: --tls-cert FILE --tls-key FILE, or --tls self-signed");
        }
    }
}
