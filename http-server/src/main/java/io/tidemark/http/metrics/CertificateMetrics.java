package io.tidemark.http.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.credentials.ServerTls;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** When the certificates of the process end, so that an alert comes before that. */
public final class CertificateMetrics {
    private CertificateMetrics() {}

    /** What a certificate is for; the label {@code use}. */
    public enum Use {
        /** The listener of the node's clients. */
        CLIENTS,
        /** Connections between the members of the group. */
        GROUP,
        /** Connections to etcd. */
        ETCD
    }

    /** Shows the end of the certificate in use. */
    public static void show(MeterRegistry registry, Use use, ServerTls tls) {
        show(registry, use, () -> seconds(tls.validUntilMillis()));
    }

    /** Shows the end of a file's first certificate; {@code NaN} while it cannot be read. */
    public static void show(MeterRegistry registry, Use use, Path certificates) {
        show(registry, use, () -> end(certificates));
    }

    private static void show(MeterRegistry registry, Use use, DoubleSupplier seconds) {
        Gauge.builder("tidemark.certificate.expiry", seconds, DoubleSupplier::getAsDouble)
                .description("When a certificate of this process ends, since 1970")
                .baseUnit("seconds")
                .tag("use", use.name().toLowerCase(Locale.ROOT))
                .strongReference(true)
                .register(registry);
    }

    private static double end(Path certificates) {
        try {
            return seconds(
                    TlsIdentity.readAuthorities(certificates).getFirst().getNotAfter().getTime());
        } catch (IOException | IllegalArgumentException _) {
            return Double.NaN;
        }
    }

    private static double seconds(long millis) {
        return millis / 1e3;
    }
}
