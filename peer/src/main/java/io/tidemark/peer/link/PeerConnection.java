package io.tidemark.peer.link;

/**
 * The connection of this node to another one.
 *
 * @param version of the wire format that it uses; 0 while there is no connection
 * @param trouble why there is none; empty while there is one, and before the first attempt
 * @param incompatible whether the nodes have no version in common
 */
public record PeerConnection(int version, String trouble, boolean incompatible) {}
