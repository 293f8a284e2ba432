package io.tidemark.standalone.options.security;

import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * A server's certificate for trials, made on the first start and used again by later ones.
 *
 * @param certificate file of the certificate
 * @param key file of its private key
 * @param authority file by which clients trust it; the key of this authority is not kept
 */
public record TrialCertificate(Path certificate, Path key, Path authority) {
    private static final String FOLDER = "tls";

    /**
     * The names of the files, which may not exist yet.
     *
     * @param data the data folder
     */
    static TrialCertificate namesIn(Path data) {
        Path folder = data.resolve(FOLDER);
        return new TrialCertificate(
                folder.resolve("tls.crt"), folder.resolve("tls.key"), folder.resolve("ca.crt"));
    }

    /**
     * Makes the files if they are missing.
     *
     * @param data the data folder
     * @param hosts names and addresses by which clients call the server
     */
    static TrialCertificate in(Path data, List<String> hosts) throws IOException {
        TrialCertificate files = namesIn(data);
        Path folder = data.resolve(FOLDER);
        if (!Files.exists(files.certificate)) {
            PrivateFolder.make(data);
            PrivateFolder.make(folder);
            files.make(hosts);
        }
        return files;
    }

    private void make(List<String> hosts) throws IOException {
        CertificateAuthority made =
                CertificateAuthority.create("tidemark trial", InstantSource.system());
        TlsIdentity server = made.issue("CN=tidemark", hosts, Use.SERVER);
        // The certificate last: a start that was interrupted makes all of them again.
        Files.deleteIfExists(key);
        Files.deleteIfExists(authority);
        PemWriter.writeKey(key, server);
        PemWriter.write(authority, made.identity().chain());
        PemWriter.write(certificate, server.chain());
    }
}
