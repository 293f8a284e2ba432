package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecretFile;
import io.tidemark.nodeauth.PeerSecrets;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The shared secret by which nodes and connectors of a group authenticate each other. */
public final class PeerSecretOptions {
    @Option(
            names = "--peer-secret",
            paramLabel = "TEXT",
            description = {
                "Shared secret of the group's nodes and connectors; it is never sent. It grants"
                        + " read access to all",
                "data. Other users can see the command line: prefer --peer-secret-file or"
                        + " TIDEMARK_PEER_SECRET."
            })
    private String secret = "";

    @Option(
            names = "--peer-secret-file",
            paramLabel = "FILE",
            description = {
                "File with that secret, or with two secrets, one per line, during a rotation: the"
                        + " first signs,",
                "both are accepted. It is reread when it changes. Only its owner may read it (mode"
                        + " 0600)."
            })
    private String secretFile = "";

    /**
     * The given secrets.
     *
     * @throws UsageException if none is given, or the file cannot be used
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
     * The given secrets, or a random one known only to this process.
     *
     * @throws UsageException if the file cannot be used
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
