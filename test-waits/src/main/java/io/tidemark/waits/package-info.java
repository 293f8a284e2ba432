/** How long tests wait. */
@NullMarked
package io.tidemark.waits;

import org.jspecify.annotations.NullMarked;
