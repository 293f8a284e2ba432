/** The status of all nodes together. Start with {@link io.tidemark.query.cluster.ClusterStatus}. */
@NullMarked
package io.tidemark.query.cluster;

import org.jspecify.annotations.NullMarked;
