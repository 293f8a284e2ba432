package io.tidemark.credentials.testing;

import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.ServerTls;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Files of a certificate authority, and of a server and its clients, in a folder. */
public final class TestCertificates {
    private final Path folder;
    private final CertificateAuthority authority;

    /** Makes the authority's certificate and that of a server on this machine. */
    public TestCertificates(Path folder) throws IOException {
        this.folder = folder;
        this.authority = CertificateAuthority.create("test", InstantSource.system());
        PemWriter.write(authorityFile(), authority.identity().chain());
        writeServer("CN=server");
    }

    /** The file of the authority's certificate. */
    public Path authorityFile() {
        return folder.resolve("ca.crt");
    }

    public Path certificateFile() {
        return folder.resolve("tls.crt");
    }

    public Path keyFile() {
        return folder.resolve("tls.key");
    }

    /** Replaces the server's certificate and key by new ones. */
    public TlsIdentity writeServer(String subject) throws IOException {
        TlsIdentity server = authority.issue(subject, List.of("localhost", "127.0.0.1"), Use.BOTH);
        Files.deleteIfExists(certificateFile());
        Files.deleteIfExists(keyFile());
        PemWriter.write(certificateFile(), server.chain());
        PemWriter.writeKey(keyFile(), server);
        return server;
    }

    /** A server that asks its clients for certificates of the authority. */
    public ServerTls server() throws IOException {
        return new ServerTls(certificateFile(), keyFile(), Optional.of(authorityFile()));
    }

    /** A new client's identity. */
    public TlsIdentity client(String subject) {
        return authority.issue(subject, List.of(), Use.CLIENT);
    }

    /** For clients without a certificate. */
    public SSLContext anonymous() {
        return TlsContexts.of(Optional.empty(), authority.identity().chain());
    }

    /** For clients that present a certificate. */
    public SSLContext contextOf(TlsIdentity client) {
        return TlsContexts.of(Optional.of(client), authority.identity().chain());
    }
}
