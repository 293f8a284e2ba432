package io.tidemark.peer;

import io.tidemark.nodeauth.HttpAddress;
import io.tidemark.nodeauth.PeerSecrets;

/**
 * How a node reads from others and lets them read.
 *
 * @param listen where its internal listener listens
 * @param advertise where others reach it
 * @param secrets the same for all nodes and connectors
 */
public record PeerSettings(HttpAddress listen, HttpAddress advertise, PeerSecrets secrets) {}
