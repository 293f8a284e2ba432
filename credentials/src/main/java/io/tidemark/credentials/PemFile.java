package io.tidemark.credentials;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Reads certificates and private keys from PEM files, in any of the forms that OpenSSL writes. */
final class PemFile {
    /** More than a bundle of all public authorities. */
    private static final int MAX_BYTES = 1 << 20;

    private PemFile() {}

    /**
     * The certificates of a file, in its order.
     *
     * @throws IOException when it cannot be read, or is above 1 MiB; the message names the file
     * @throws IllegalArgumentException when it holds none, or something unreadable; likewise
     */
    static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(file)))
                    .forEach(each -> found.add((X509Certificate) each));
        } catch (CertificateException e) {
            throw unreadable(file, e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no certificate in the PEM file " + file);
        }
        return List.copyOf(found);
    }

    /**
     * The first private key of a file, which only its owner may read.
     *
     * @throws IOException when it cannot be read, or others can read it; the message names the file
     * @throws IllegalArgumentException when it holds none, an encrypted or an unreadable one;
     *     likewise
     */
    static PrivateKey key(Path file) throws IOException {
        for (Object each : parsed(file, SecretFile.read(file))) {
            switch (each) {
                case PEMKeyPair pair -> {
                    return key(file, pair.getPrivateKeyInfo());
                }
                case PrivateKeyInfo info -> {
                    return key(file, info);
                }
                case PEMEncryptedKeyPair _, PKCS8EncryptedPrivateKeyInfo _ ->
                        throw new IllegalArgumentException(
                                "the private key in %s is encrypted; decrypt it: openssl pkey -in FILE -out FILE"
                                        .formatted(file));
                default -> {}
            }
        }
        throw new IllegalArgumentException("no private key in the PEM file " + file);
    }

    private static PrivateKey key(Path file, PrivateKeyInfo info) {
        try {
            return new JcaPEMKeyConverter().getPrivateKey(info);
        } catch (PEMException e) {
            throw unreadable(file, e);
        }
    }

    /** All objects of a file, other text between them left out. */
    private static List<Object> parsed(Path file, String text) {
        List<Object> objects = new ArrayList<>();
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                objects.add(next);
            }
        } catch (IOException | RuntimeException e) {
            // The parser reports some malformed input with exceptions of its decoders.
            throw unreadable(file, e);
        }
        return objects;
    }

    private static IllegalArgumentException unreadable(Path file, Exception why) {
        // The parser's message could quote the key.
        return new IllegalArgumentException(
                "the PEM file %s cannot be parsed".formatted(file), why);
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("the file %s is too long for certificates".formatted(file));
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new IOException("no such file: " + file, e);
        } catch (AccessDeniedException e) {
            throw new IOException("this user has no permission to read the file " + file, e);
        }
    }
}
