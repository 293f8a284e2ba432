package io.tidemark.peer;

import io.tidemark.address.HostPort;
import io.tidemark.address.HttpAddress;
import io.tidemark.credentials.MutualTls;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.wire.WireVersions;
import java.util.Optional;

/**
 * The settings of a {@link PeerNetwork}.
 *
 * @param listen the internal listener's address
 * @param advertise the address at which other nodes reach it
 * @param secrets shared by all nodes and connectors
 * @param versions of the wire format that this node speaks
 * @param tls between the members of the group; empty for plain HTTP
 */
public record PeerSettings(
        HttpAddress listen,
        HttpAddress advertise,
        PeerSecrets secrets,
        WireVersions versions,
        Optional<MutualTls> tls) {
    public PeerSettings {
        if (tls.isPresent()) {
            listen = listen.overTls();
            advertise = advertise.overTls();
        }
    }

    /** The address of another node of the group, which is reached as this one is. */
    HttpAddress addressOf(HostPort node) {
        HttpAddress address = HttpAddress.of(node);
        return tls.isPresent() ? address.overTls() : address;
    }

    /** Over plain HTTP. */
    public PeerSettings(
            HttpAddress listen, HttpAddress advertise, PeerSecrets secrets, WireVersions versions) {
        this(listen, advertise, secrets, versions, Optional.empty());
    }

    /** With all versions, over plain HTTP. */
    public PeerSettings(HttpAddress listen, HttpAddress advertise, PeerSecrets secrets) {
        this(listen, advertise, secrets, WireVersions.all());
    }
}
