package io.tidemark.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key, and the certificates by which others know it.
 *
 * @param chain the key's own certificate first, then those of its issuers
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
    private static final byte[] PROBE = {1};

    /**
     * @throws IllegalArgumentException when the first certificate is not of the key
     */
    public TlsIdentity {
        chain = List.copyOf(chain);
        if (!matches(key, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException(
                    "the private key does not belong to the certificate");
        }
    }

    /**
     * Reads both files.
     *
     * @param key which only its owner may read
     * @throws IOException when one cannot be read, or others can read the key; the message is a
     *     sentence that names the file
     * @throws IllegalArgumentException when one cannot be parsed, or they do not belong together;
     *     likewise
     */
    public static TlsIdentity read(Path certificates, Path key) throws IOException {
        List<X509Certificate> chain = PemFile.certificates(certificates);
        PrivateKey read = PemFile.key(key);
        try {
            return new TlsIdentity(read, chain);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the private key in %s does not belong to the first certificate in %s"
                            .formatted(key, certificates),
                    e);
        }
    }

    /**
     * The certificates of a bundle, such as those of a certificate authority.
     *
     * @throws IOException when it cannot be read; the message is a sentence that names the file
     * @throws IllegalArgumentException when it holds none; likewise
     */
    public static List<X509Certificate> readAuthorities(Path file) throws IOException {
        return PemFile.certificates(file);
    }

    /** The key's own certificate. */
    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** The name and the end of the certificate; no secret. */
    @Override
    public String toString() {
        return "certificate of %s, valid until %s"
                .formatted(
                        certificate().getSubjectX500Principal().getName(),
                        certificate().getNotAfter().toInstant());
    }

    private static boolean matches(PrivateKey key, PublicKey other) {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm(); // EdDSA signs and verifies by this name.
                };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(PROBE);
            byte[] signature = signing.sign();
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(other);
            verifying.update(PROBE);
            return verifying.verify(signature);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }
}
