/**
 * One partition of the mirror topic as a multi-version store: a fold over its changes ({@link
 * io.tidemark.store.PartitionStore#apply}) and reads at any revision of its window. Pure but for
 * the {@link io.tidemark.store.KeyValueEngine} it stands on and the clock it is given. Depends on
 * the record format, on the partition view it offers, and on Jackson's streaming parser.
 */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
