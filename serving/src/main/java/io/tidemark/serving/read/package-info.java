/**
 * All partitions read as one: how far they have come, what now is, lists merged by key and changes
 * merged by revision. Depends on partition views and refusals.
 */
@NullMarked
package io.tidemark.serving.read;

import org.jspecify.annotations.NullMarked;
