package io.tidemark.standalone.options;

import io.tidemark.peer.PeerAddress;
import io.tidemark.peer.PeerSecret;
import io.tidemark.peer.PeerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a node reads from the others of its group. */
public final class PeerOptions {
    @Option(
            names = "--peer-listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = {
                "Address at which other nodes read the partitions of this one. With it, any node"
                        + " answers any",
                "request; without it, a node answers from its own partitions alone. Needs a secret."
            })
    private @Nullable HostPort listen;

    @Option(
            names = "--peer-advertise",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description =
                    "Address at which others reach --peer-listen (default: that one, or this"
                            + " machine's own when it listens on all).")
    private @Nullable HostPort advertise;

    @Option(
            names = "--peer-secret",
            paramLabel = "TEXT",
            description = {
                "What all nodes of a group know: whoever says it may read everything. Better in a"
                        + " file or as",
                "TIDEMARK_PEER_SECRET than on a command line that others can see."
            })
    private String secret = "";

    @Option(
            names = "--peer-secret-file",
            paramLabel = "FILE",
            description = "File with that secret in its first line.")
    private String secretFile = "";

    /**
     * Empty when this node keeps to itself.
     *
     * @throws UsageException if the options do not fit together
     */
    public Optional<PeerSettings> settings() {
        HostPort listening = listen;
        if (listening == null) {
            if (advertise != null || !secret.isEmpty() || !secretFile.isEmpty()) {
                throw new UsageException(
                        "--peer-advertise and --peer-secret need --peer-listen HOST:PORT");
            }
            return Optional.empty();
        }
        return Optional.of(
                UsageException.unlessValid(() ->
                        new PeerSettings(
                                address(listening), address(advertised(listening)), secret())));
    }

    private HostPort advertised(HostPort listening) {
        if (advertise != null) {
            return advertise;
        }
        if (!listening.isWildcard()) {
            return listening;
        }
        try {
            return new HostPort(InetAddress.getLocalHost().getHostAddress(), listening.port());
        } catch (UnknownHostException e) {
            throw new UsageException(
                    "this machine does not know its own address: needs --peer-advertise HOST:PORT");
        }
    }

    private static PeerAddress address(HostPort address) {
        return new PeerAddress(address.host(), address.port());
    }

    private PeerSecret secret() {
        if (secret.isEmpty() == secretFile.isEmpty()) {
            throw new UsageException(
                    "--peer-listen needs either --peer-secret-file FILE or --peer-secret TEXT; to"
                            + " make a file: openssl rand -hex 32 > FILE");
        }
        return new PeerSecret(secretFile.isEmpty() ? secret : firstLine(secretFile));
    }

    private static String firstLine(String file) {
        try {
            return Files.readString(Path.of(file)).lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            throw new UsageException("cannot read the file " + file + ": " + e.getMessage());
        }
    }
}
