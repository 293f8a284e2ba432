package io.tidemark.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener, from files that are read again when they change. A change makes a new context,
 * so that no session of before it is resumed with a client certificate that is not accepted any
 * more.
 */
public final class ServerTls {
    private final List<Path> paths;
    private final ReloadedFiles<Loaded> files;
    private final boolean asksClients;
    private volatile @Nullable Loaded last;

    private record Content(TlsIdentity identity, List<X509Certificate> clientAuthorities) {}

    private record Loaded(Content content, SSLContext context) {}

    /**
     * @param clientAuthorities file with the authorities whose client certificates are accepted;
     *     empty when clients are not asked for one
     * @throws IOException when a file cannot be read, or others can read the key; the message is a
     *     sentence that names the file
     * @throws IllegalArgumentException when the files cannot be used; likewise
     */
    public ServerTls(Path certificates, Path key, Optional<Path> clientAuthorities)
            throws IOException {
        this(certificates, key, clientAuthorities, System::nanoTime);
    }

    ServerTls(Path certificates, Path key, Optional<Path> clientAuthorities, LongSupplier nanoTime)
            throws IOException {
        this.paths =
                Stream.concat(Stream.of(certificates, key), clientAuthorities.stream()).toList();
        this.asksClients = clientAuthorities.isPresent();
        this.files =
                new ReloadedFiles<>(
                        "the TLS certificate",
                        () -> load(read(certificates, key, clientAuthorities)),
                        loaded -> loaded.content().identity().toString(),
                        nanoTime);
    }

    /** Makes the context at once: the JDK refuses some chains only then. */
    private Loaded load(Content found) {
        Loaded loaded = last;
        if (loaded == null || !loaded.content().equals(found)) {
            loaded = new Loaded(found, contextOf(found));
            last = loaded;
        }
        return loaded;
    }

    private static Content read(Path certificates, Path key, Optional<Path> clientAuthorities)
            throws IOException {
        return new Content(
                TlsIdentity.read(certificates, key),
                clientAuthorities.isPresent()
                        ? TlsIdentity.readAuthorities(clientAuthorities.get())
                        : List.of());
    }

    private static SSLContext contextOf(Content content) {
        return TlsContexts.of(Optional.of(content.identity()), content.clientAuthorities());
    }

    /** Whether clients are asked for a certificate; they need not have one. */
    public boolean asksClients() {
        return asksClients;
    }

    /**
     * The context of the files' newest usable content; the same object until it changes. Reads
     * files, at most once a second.
     */
    public SSLContext context() {
        return files.get().context();
    }

    /** The end of the certificate in use, in milliseconds since 1970. */
    public long validUntilMillis() {
        return files.get().content().identity().certificate().getNotAfter().getTime();
    }

    /** Whether both read the same files. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ServerTls tls && tls.paths.equals(paths);
    }

    @Override
    public int hashCode() {
        return paths.hashCode();
    }

    /** The names of the files. */
    @Override
    public String toString() {
        return "TLS of " + paths;
    }
}
