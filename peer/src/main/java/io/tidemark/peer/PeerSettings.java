package io.tidemark.peer;

/**
 * How a node reads from others and lets them read.
 *
 * @param listen where its internal listener listens
 * @param advertise where others reach it
 * @param secret the same for all nodes
 */
public record PeerSettings(PeerAddress listen, PeerAddress advertise, PeerSecret secret) {}
