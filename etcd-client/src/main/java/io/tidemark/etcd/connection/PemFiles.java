package io.tidemark.etcd.connection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and private keys from PEM files. Java itself reads PKCS#8 keys only, but the
 * usual tools for Kubernetes and etcd write RSA keys as PKCS#1 and elliptic ones as SEC1: this
 * class wraps those in a PKCS#8 envelope.
 *
 * <pre>
 * PKCS#8:  SEQUENCE { INTEGER 0, SEQUENCE { algorithm, parameters }, OCTET STRING { the key } }
 * SEC1:    SEQUENCE { INTEGER 1, OCTET STRING, [0] { the curve }, [1] { public key } }
 * </pre>
 */
final class PemFiles {
    private static final Pattern KEY_BLOCK =
            Pattern.compile(
                    "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([^-]*)-----END"
                            + " \\1-----");

    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int EC_PARAMETERS = 0xa0;

    /** 1.2.840.113549.1.1.1 with its NULL parameter, and 1.2.840.10045.2.1. */
    private static final byte[] RSA = {
        0x06,
        0x09,
        0x2a,
        (byte) 0x86,
        0x48,
        (byte) 0x86,
        (byte) 0xf7,
        0x0d,
        0x01,
        0x01,
        0x01,
        0x05,
        0
    };

    private static final byte[] ELLIPTIC = {
        0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
    };

    private PemFiles() {}

    static X509Certificate[] certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate[] certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .toArray(X509Certificate[]::new);
            if (certificates.length == 0) {
                throw new IllegalArgumentException("no PEM certificate in " + file);
            }
            return certificates;
        }
    }

    static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        Matcher block = KEY_BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IllegalArgumentException("no PEM private key in " + file);
        }
        byte[] der = Base64.getMimeDecoder().decode(block.group(2));
        return switch (block.group(1)) {
            case "RSA PRIVATE KEY" -> decode("RSA", envelope(RSA, der));
            case "EC PRIVATE KEY" -> decode("EC", envelope(join(ELLIPTIC, curve(der)), der));
            case "PRIVATE KEY" -> pkcs8(file, der);
            default ->
                    throw new IllegalArgumentException(
                            "the private key in %s is encrypted: store it without a passphrase"
                                    .formatted(file));
        };
    }

    private static PrivateKey pkcs8(Path file, byte[] der) throws GeneralSecurityException {
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return decode(algorithm, der);
            } catch (InvalidKeySpecException _) {
                // Another algorithm: try the next one.
            }
        }
        throw new IllegalArgumentException(
                "the private key in %s is neither RSA nor EC nor EdDSA".formatted(file));
    }

    private static PrivateKey decode(String algorithm, byte[] pkcs8)
            throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        byte[] version = element(INTEGER, new byte[1]);
        return element(
                SEQUENCE,
                join(join(version, element(SEQUENCE, algorithm)), element(OCTET_STRING, key)));
    }

    /** The object id of the curve, as encoded in a SEC1 key. */
    private static byte[] curve(byte[] sec1) {
        int at = content(sec1, 0);
        while (at < sec1.length) {
            int content = content(sec1, at);
            if ((sec1[at] & 0xff) == EC_PARAMETERS && sec1[content] == OBJECT_ID) {
                return Arrays.copyOfRange(sec1, content, next(sec1, content));
            }
            at = next(sec1, at);
        }
        throw new IllegalArgumentException("an EC key that does not name its curve");
    }

    private static int next(byte[] der, int at) {
        return content(der, at) + length(der, at);
    }

    /** Offset of the content of the element at {@code at}. */
    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
