/**
 * What readers see of a partition: stateless reads at an exact revision. A view may be a store in
 * this JVM or a peer's copy, and readers cannot tell. Depends on the record format alone.
 */
@NullMarked
package io.tidemark.view;

import org.jspecify.annotations.NullMarked;
