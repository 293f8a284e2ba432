/** How long tests wait, and which of them only the full build runs. */
@NullMarked
package io.tidemark.waits;

import org.jspecify.annotations.NullMarked;
