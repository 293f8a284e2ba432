/**
 * Converts etcd values for the mirror: to canonical JSON, or to raw bytes with the reason. Pure,
 * and safe on any input: nothing here throws because of a value's content. Start with {@link
 * io.tidemark.connector.value.ChangeBuilder}.
 */
@NullMarked
package io.tidemark.connector.value;

import org.jspecify.annotations.NullMarked;
