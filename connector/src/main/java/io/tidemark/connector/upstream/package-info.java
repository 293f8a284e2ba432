/**
 * Another Tidemark in the place of etcd: its {@code /kv} answers what a connector asks of etcd, at
 * the same revisions. Start with {@link io.tidemark.connector.upstream.TidemarkSource}.
 */
@NullMarked
package io.tidemark.connector.upstream;

import org.jspecify.annotations.NullMarked;
