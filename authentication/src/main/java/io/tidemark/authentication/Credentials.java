package io.tidemark.authentication;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a client presents to prove who it is.
 *
 * @param certificates of the TLS connection, the client's own first, verified against the
 *     authorities of clients; empty without one
 * @param authorization the value of the header {@code Authorization}; empty without one
 */
public record Credentials(List<X509Certificate> certificates, String authorization) {
    public static final Credentials NONE = new Credentials(List.of(), "");

    public Credentials {
        certificates = List.copyOf(certificates);
    }

    /** Without the credentials themselves, so that logs never contain them. */
    @Override
    public String toString() {
        return "Credentials[%d certificates, %s]"
                .formatted(
                        certificates.size(),
                        authorization.isEmpty() ? "no Authorization" : "Authorization");
    }
}
