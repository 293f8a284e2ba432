/**
 * The connector's port to etcd, and its implementation with the etcd client, whose types it shares.
 * Start with {@link io.tidemark.connector.source.EtcdSource}.
 */
@NullMarked
package io.tidemark.connector.source;

import org.jspecify.annotations.NullMarked;
