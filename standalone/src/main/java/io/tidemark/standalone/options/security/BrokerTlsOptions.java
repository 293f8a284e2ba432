package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.local.kafka.KafkaTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** TLS of the broker that {@code tidemark broker} runs. */
public final class BrokerTlsOptions {
    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = {
                "PEM file with the broker's certificate and those of its issuers, with the name or"
                        + " address of",
                "--advertise; with it, clients use TLS. Needs --tls-key and --tls-ca. Read at the"
                        + " start only."
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
            names = "--tls-ca",
            paramLabel = "FILE",
            description =
                    "PEM file with the authorities of --tls-cert; the files for clients name it.")
    private @Nullable Path authorities;

    /** What protects the listener: all clients log in. */
    public StartupRule.Protection protection() {
        return new StartupRule.Protection.OfKafkaClients(certificate != null);
    }

    /**
     * TLS of the listener.
     *
     * @throws UsageException if one of the three is missing, or a file cannot be used
     */
    public KafkaTls tls() {
        if (certificate == null && key == null && authorities == null) {
            return new KafkaTls.None();
        }
        if (certificate == null || key == null || authorities == null) {
            throw new UsageException(
                    "give all three, or none: --tls-cert FILE --tls-key FILE --tls-ca FILE");
        }
        try {
            TlsIdentity.readAuthorities(authorities);
            TlsIdentity identity = TlsIdentity.read(certificate, key);
            StringBuilder chain = new StringBuilder();
            for (X509Certificate each : identity.chain()) {
                chain.append(pem("CERTIFICATE", each.getEncoded()));
            }
            return new KafkaTls.Server(
                    chain.toString(),
                    pem("PRIVATE KEY", identity.key().getEncoded()),
                    Optional.of(authorities));
        } catch (IOException | IllegalArgumentException | CertificateEncodingException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static String pem(String type, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        type,
                        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                                .encodeToString(encoded),
                        type);
    }
}
