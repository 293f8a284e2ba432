package io.tidemark.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS between the members of a group: each side shows its certificate, and accepts only those that
 * the group's own authorities have issued. The files are read again when they change; connections
 * that are open then go on.
 */
public final class MutualTls {
    private final ServerTls files;

    /**
     * @param certificates of this process, for servers and for clients; then those of its issuers
     * @param key which only its owner may read
     * @param authorities of all members
     * @throws IOException when a file cannot be read, or others can read the key; the message is a
     *     sentence that names the file
     * @throws IllegalArgumentException when the files cannot be used; likewise
     */
    public MutualTls(Path certificates, Path key, Path authorities) throws IOException {
        this.files = new ServerTls(certificates, key, Optional.of(authorities));
    }

    /**
     * For a listener. It asks for certificates, but also accepts connections without one, such as
     * those of health checks: routes for members require one.
     */
    public ServerTls listening() {
        return files;
    }

    /**
     * For connections to other members. The same object until the files change; reads them at most
     * once a second.
     */
    public SSLContext connecting() {
        return files.context();
    }

    /** Whether both read the same files. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MutualTls tls && tls.files.equals(files);
    }

    @Override
    public int hashCode() {
        return files.hashCode();
    }

    /** The names of the files. */
    @Override
    public String toString() {
        return files.toString();
    }
}
