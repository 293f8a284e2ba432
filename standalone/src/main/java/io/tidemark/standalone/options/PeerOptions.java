package io.tidemark.standalone.options;

import io.tidemark.address.HostPort;
import io.tidemark.address.HttpAddress;
import io.tidemark.address.MachineAddress;
import io.tidemark.client.UsageException;
import io.tidemark.credentials.MutualTls;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.PeerSettings;
import io.tidemark.peer.wire.WireVersions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How nodes of a group read from each other. */
public final class PeerOptions {
    @Option(
            names = "--peer-listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = {
                "Address at which other nodes read the partitions of this one. With it, any node"
                        + " answers any",
                "request; without it, a node answers only from its own partitions. Needs a peer"
                        + " secret;",
                "other than loopback addresses need --peer-tls-cert as well, or --insecure."
            })
    private @Nullable HostPort listen;

    @Option(
            names = "--peer-advertise",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description =
                    "Address at which other nodes reach --peer-listen (default: the same, or this"
                            + " machine's own address when it listens on all).")
    private @Nullable HostPort advertise;

    @Option(
            names = "--peer-version",
            paramLabel = "N",
            description = {
                "Newest version of the messages between nodes that this node speaks, beside older"
                        + " ones (default:",
                "${DEFAULT-VALUE}). Two nodes use the newest version that both speak, so this is"
                        + " needed only to rule the",
                "newest one out."
            })
    private int version = WireVersions.NEWEST;

    /**
     * Empty without {@code --peer-listen}.
     *
     * @param secrets shared by the group
     * @param tls between its members; empty for plain HTTP
     * @throws UsageException if the options contradict each other
     */
    public Optional<PeerSettings> settings(PeerSecrets secrets, Optional<MutualTls> tls) {
        HostPort listening = listen;
        if (listening == null) {
            if (advertise != null) {
                throw new UsageException("--peer-advertise needs --peer-listen HOST:PORT");
            }
            return Optional.empty();
        }
        return Optional.of(
                UsageException.unlessValid(() ->
                        new PeerSettings(
                                HttpAddress.of(listening),
                                HttpAddress.of(advertised(listening)),
                                secrets,
                                WireVersions.through(version),
                                tls)));
    }

    /** HOST:PORT for the group's metadata; empty without {@code --peer-listen}. */
    public String advertised() {
        return listen == null ? "" : advertised(listen).toString();
    }

    /** The name or address at which other nodes connect; empty without {@code --peer-listen}. */
    public Optional<String> advertisedHost() {
        return listen().map(listening -> advertised(listening).host());
    }

    /** The address to listen on; empty without {@code --peer-listen}. */
    public Optional<HostPort> listen() {
        return Optional.ofNullable(listen);
    }

    private HostPort advertised(HostPort listening) {
        if (advertise == null) {
            advertise =
                    listening.isWildcard()
                            ? new HostPort(
                                    MachineAddress.find("--peer-advertise"), listening.port())
                            : listening;
        }
        return advertise;
    }
}
