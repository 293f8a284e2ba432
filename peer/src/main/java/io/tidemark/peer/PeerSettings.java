package io.tidemark.peer;

import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.PeerSecrets;

/**
 * The settings of a {@link PeerNetwork}.
 *
 * @param listen the internal listener's address
 * @param advertise the address at which other nodes reach it
 * @param secrets shared by all nodes and connectors
 */
public record PeerSettings(HttpAddress listen, HttpAddress advertise, PeerSecrets secrets) {}
