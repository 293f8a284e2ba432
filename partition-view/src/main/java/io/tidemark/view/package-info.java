/**
 * The read interface to a partition: stateless reads at an exact revision, served by a store in
 * this process or by a peer's replica. Start with {@link io.tidemark.view.PartitionView} and the
 * requests in {@link io.tidemark.view.request.ReadRequest}; {@link io.tidemark.view.object} has
 * what the answers hold.
 */
@NullMarked
package io.tidemark.view;

import org.jspecify.annotations.NullMarked;
