package io.tidemark.peer;

import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.wire.WireVersions;

/**
 * The settings of a {@link PeerNetwork}.
 *
 * @param listen the internal listener's address
 * @param advertise the address at which other nodes reach it
 * @param secrets shared by all nodes and connectors
 * @param versions of the wire format that this node speaks
 */
public record PeerSettings(
        HttpAddress listen, HttpAddress advertise, PeerSecrets secrets, WireVersions versions) {
    /** With all versions. */
    public PeerSettings(HttpAddress listen, HttpAddress advertise, PeerSecrets secrets) {
        this(listen, advertise, secrets, WireVersions.all());
    }
}
