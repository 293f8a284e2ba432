package io.tidemark.standalone.options.security;

import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.local.FolderLock;
import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's certificate for trials, made on the first start and used again by later ones, until it
 * ends or lacks a host.
 *
 * @param certificate file of the certificate
 * @param key file of its private key
 * @param authority file by which clients trust it; the key of this authority is not kept
 */
public record TrialCertificate(Path certificate, Path key, Path authority) {
    private static final Logger LOG = LoggerFactory.getLogger(TrialCertificate.class);
    private static final String FOLDER = "tls";

    /** A certificate that ends sooner could end while the server runs. */
    private static final Duration SHORTEST = Duration.ofDays(1);

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
     * Makes the files if they are missing, and again if clients could not use the certificate.
     *
     * @param data the data folder
     * @param hosts names and addresses by which clients call the server
     */
    static TrialCertificate in(Path data, List<String> hosts) throws IOException {
        return in(data, hosts, InstantSource.system());
    }

    static TrialCertificate in(Path data, List<String> hosts, InstantSource clock)
            throws IOException {
        TrialCertificate files = namesIn(data);
        CertificateAuthority signer = CertificateAuthority.create("tidemark trial", clock);
        TlsIdentity server = signer.issue("CN=tidemark", hosts, Use.SERVER);
        if (!Files.exists(files.certificate)) {
            files.write(data, signer, server);
        } else if (!FolderLock.isHeld(data)) { // Else another process may serve with them.
            String fault = fault(files.certificate, server.certificate(), clock.instant());
            if (!fault.isEmpty()) {
                files.write(data, signer, server);
                LOG.warn(
                        "made a new certificate, since that in {} {}; clients need the new {}",
                        files.certificate,
                        fault,
                        files.authority);
            }
        }
        return files;
    }

    /** Why clients could not use the certificate of a file; empty if they can. */
    private static String fault(Path file, X509Certificate wanted, Instant now) throws IOException {
        X509Certificate found = TlsIdentity.readAuthorities(file).getFirst();
        Instant end = found.getNotAfter().toInstant();
        if (end.isBefore(now.plus(SHORTEST))) {
            return (end.isBefore(now) ? "ended at " : "ends at ") + end;
        }
        // Two certificates write the same host in the same way.
        Set<String> missing = hosts(wanted);
        missing.removeAll(hosts(found));
        return missing.isEmpty() ? "" : "is not for " + String.join(", ", missing);
    }

    private static Set<String> hosts(X509Certificate certificate) {
        try {
            Set<String> hosts = new TreeSet<>();
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null) {
                names.forEach(name -> hosts.add(String.valueOf(name.get(1))));
            }
            return hosts;
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException("the certificate's hosts cannot be read", e);
        }
    }

    private void write(Path data, CertificateAuthority signer, TlsIdentity server)
            throws IOException {
        PrivateFolder.make(data);
        PrivateFolder.make(data.resolve(FOLDER));
        // The certificate goes first and comes last: a start that was interrupted makes all again.
        Files.deleteIfExists(certificate);
        Files.deleteIfExists(key);
        Files.deleteIfExists(authority);
        PemWriter.writeKey(key, server);
        PemWriter.write(authority, signer.identity().chain());
        PemWriter.write(certificate, server.chain());
    }
}
