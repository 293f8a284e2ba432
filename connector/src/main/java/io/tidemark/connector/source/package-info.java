/**
 * The connector's port to etcd, and its adapter over etcd's gRPC API. Start with {@link
 * io.tidemark.connector.source.EtcdSource}; only the adapter uses the client.
 */
@NullMarked
package io.tidemark.connector.source;

import org.jspecify.annotations.NullMarked;
