/**
 * The client commands, which use only a node's public HTTP interface. Start with {@link
 * io.tidemark.client.GetCommand} and {@link io.tidemark.client.NodeApiClient}.
 */
@NullMarked
package io.tidemark.client;

import org.jspecify.annotations.NullMarked;
