package io.tidemark.standalone.part;

import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * A certificate authority in two files, which is made at its first use.
 *
 * @param certificate file by which others trust it
 * @param key file of its private key
 */
public record TrialAuthority(Path certificate, Path key) {
    /** The files {@code NAME.crt} and {@code NAME.key} of a folder. */
    public static TrialAuthority in(Path folder, String name) {
        return new TrialAuthority(folder.resolve(name + ".crt"), folder.resolve(name + ".key"));
    }

    /**
     * Issues a certificate into {@code NAME.crt} and {@code NAME.key} beside its own files, with a
     * new key; earlier files of that name are replaced.
     *
     * @param subject in the form of RFC 2253
     * @param hosts names and addresses of a server; empty for a client
     * @return the two files
     * @throws IllegalArgumentException when the subject or a host is not of its form, or the files
     *     of the authority cannot be used; the message is a sentence
     */
    public List<Path> issue(String name, String subject, List<String> hosts, Use use)
            throws IOException {
        TlsIdentity made = authority().issue(subject, hosts, use);
        Path certificateFile = certificate.resolveSibling(name + ".crt");
        Path keyFile = key.resolveSibling(name + ".key");
        Files.deleteIfExists(certificateFile);
        Files.deleteIfExists(keyFile);
        PemWriter.writeKey(keyFile, made);
        PemWriter.write(certificateFile, made.chain());
        return List.of(certificateFile, keyFile);
    }

    private CertificateAuthority authority() throws IOException {
        if (Files.exists(certificate)) {
            return CertificateAuthority.of(
                    TlsIdentity.read(certificate, key), InstantSource.system());
        }
        String name = "tidemark trial " + certificate.getFileName();
        CertificateAuthority made = CertificateAuthority.create(name, InstantSource.system());
        // The certificate last: a run that was interrupted makes both again.
        Files.deleteIfExists(key);
        PemWriter.writeKey(key, made.identity());
        PemWriter.write(certificate, made.identity().chain());
        return made;
    }
}
