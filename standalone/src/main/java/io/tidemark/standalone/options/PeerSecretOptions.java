package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;

import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecretFile;
import io.tidemark.nodeauth.PeerSecrets;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What nodes and connectors of one group prove themselves to each other with. */
public final class PeerSecretOptions {
    @Option(
            names = "--peer-secret",
            paramLabel = "TEXT",
            description = {
                "Shared secret of the group's nodes and connectors; it is never sent. It grants"
                        + " read access to all",
                "data. Better in a file or as TIDEMARK_PEER_SECRET than on a command line that"
                        + " others can see."
            })
    private String secret = "";

    @Option(
            names = "--peer-secret-file",
            paramLabel = "FILE",
            description = {
                "File with that secret; or with two, a line each, while it is changed: the first"
                        + " one signs, both",
                "are accepted. It is read again when it changes. Only its owner may read it (mode"
                        + " 0600)."
            })
    private String secretFile = "";

    /**
     * What is given.
     *
     * @throws UsageException if nothing is, or it cannot be used
     */
    public PeerSecrets required() {
        if (secret.isEmpty() && secretFile.isEmpty()) {
            throw new UsageException(
                    "nodes and connectors need a shared secret, --peer-secret-file FILE; to make a"
                            + " file: (umask 077; openssl rand -hex 32 > FILE)");
        }
        if (!secret.isEmpty() && !secretFile.isEmpty()) {
            throw new UsageException("give --peer-secret or --peer-secret-file, not both");
        }
        return UsageException.unlessValid(() ->
                secretFile.isEmpty()
                        ? PeerSecrets.of(new PeerSecret(secret))
                        : ofFile(Path.of(secretFile)));
    }

    /**
     * What is given, or one that is known in this process alone.
     *
     * @throws UsageException if it cannot be used
     */
    public PeerSecrets orRandom() {
        return secret.isEmpty() && secretFile.isEmpty() ? PeerSecrets.random() : required();
    }

    private static PeerSecrets ofFile(Path file) {
        try {
            return new PeerSecretFile(file);
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
