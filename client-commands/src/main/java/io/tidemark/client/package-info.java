/**
 * The client commands {@code get}, {@code watch}, {@code history}, {@code diff}, {@code status}.
 * They use only a node's public HTTP interface. Start with {@link io.tidemark.client.GetCommand}
 * and {@link io.tidemark.client.NodeApiClient}.
 */
@NullMarked
package io.tidemark.client;

import org.jspecify.annotations.NullMarked;
