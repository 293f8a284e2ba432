package io.tidemark.credentials;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/** Reads certificates that are inside of another file. */
public final class PemText {
    private PemText() {}

    /**
     * The certificates of a text, in its order.
     *
     * @throws IllegalArgumentException when it holds none, or something unreadable
     */
    public static List<X509Certificate> certificates(String pem) {
        try {
            List<X509Certificate> found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(
                                    new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no certificate in PEM form");
            }
            return found;
        } catch (CertificateException e) {
            throw new IllegalArgumentException("no readable certificates in PEM form", e);
        }
    }
}
