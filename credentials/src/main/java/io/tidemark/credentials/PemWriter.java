package io.tidemark.credentials;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Writes keys and certificates as PEM files. It never replaces a file. */
public final class PemWriter {
    private PemWriter() {}

    /**
     * Writes a chain of certificates.
     *
     * @throws FileAlreadyExistsException when the file exists
     */
    public static void write(Path file, List<X509Certificate> certificates) throws IOException {
        Files.writeString(create(file, "rw-r--r--"), pem(certificates.toArray()));
    }

    /**
     * Writes a private key, unencrypted, into a file that only its owner can read.
     *
     * @throws FileAlreadyExistsException when the file exists
     */
    public static void writeKey(Path file, TlsIdentity identity) throws IOException {
        Files.writeString(
                create(file, "rw-------"), pem(new JcaPKCS8Generator(identity.key(), null)));
    }

    private static Path create(Path file, String permissions) throws IOException {
        boolean posix =
                Files.getFileStore(file.toAbsolutePath().getParent())
                        .supportsFileAttributeView("posix");
        FileAttribute<?>[] attributes =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString(permissions))
                        }
                        : new FileAttribute<?>[0];
        return Files.createFile(file, attributes);
    }

    private static String pem(Object... objects) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            for (Object object : objects) {
                writer.writeObject(object);
            }
        }
        return text.toString();
    }
}
