/**
 * The read interface to a partition: stateless reads at an exact revision, served by a store in
 * this process or by a peer's replica. Start with {@link io.tidemark.view.PartitionView} and {@link
 * io.tidemark.view.object.StoredObject}.
 */
@NullMarked
package io.tidemark.view;

import org.jspecify.annotations.NullMarked;
