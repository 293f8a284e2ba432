/**
 * Digests of what etcd holds, for nodes to compare their replicas with. Start with {@link
 * io.tidemark.connector.check.EtcdDigests}.
 */
@NullMarked
package io.tidemark.connector.check;

import org.jspecify.annotations.NullMarked;
