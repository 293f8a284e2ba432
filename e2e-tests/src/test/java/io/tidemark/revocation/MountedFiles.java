package io.tidemark.revocation;

import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A node's certificate, key, authorities, tokens and policy, mounted as Kubernetes mounts Secrets:
 * each file is a link into {@code ..data}, a link to a folder that is exchanged as a whole.
 */
final class MountedFiles {
    private static final List<String> NAMES =
            List.of("tls.crt", "tls.key", "client-ca.crt", "tokens.csv", "policy.yaml");

    private final Path folder;
    private int version;

    /** What all files hold. */
    record Content(
            TlsIdentity server, List<X509Certificate> clients, String tokens, String policy) {}

    MountedFiles(Path folder, Content content) throws IOException {
        this.folder = Files.createDirectories(folder);
        exchange(content);
        for (String name : NAMES) {
            Files.createSymbolicLink(folder.resolve(name), Path.of("..data", name));
        }
    }

    String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Exchanges all files at once. */
    void exchange(Content content) throws IOException {
        Path next = Files.createDirectory(folder.resolve(".." + ++version));
        PemWriter.write(next.resolve("tls.crt"), content.server().chain());
        PemWriter.writeKey(next.resolve("tls.key"), content.server());
        PemWriter.write(next.resolve("client-ca.crt"), content.clients());
        Files.createFile(
                next.resolve("tokens.csv"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next.resolve("tokens.csv"), content.tokens());
        Files.writeString(next.resolve("policy.yaml"), content.policy());
        link(next);
    }

    /** Exchanges all files for empty ones, as a mount that went wrong. */
    void empty() throws IOException {
        Path next = Files.createDirectory(folder.resolve(".." + ++version));
        for (String name : NAMES) {
            Files.createFile(
                    next.resolve(name),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
        link(next);
    }

    private void link(Path next) throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), next.getFileName());
        Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }
}
