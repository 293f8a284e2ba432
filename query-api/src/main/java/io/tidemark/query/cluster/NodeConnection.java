package io.tidemark.query.cluster;

/**
 * The connection of this node to another node of the group.
 *
 * @param peerVersion version of the messages between the two; 0 while there is no connection
 * @param trouble why there is none; may be empty
 * @param incompatible whether the nodes have no such version in common
 */
public record NodeConnection(int peerVersion, String trouble, boolean incompatible) {}
