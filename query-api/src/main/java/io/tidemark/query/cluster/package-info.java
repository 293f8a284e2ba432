/** How all nodes stand, taken together. */
@NullMarked
package io.tidemark.query.cluster;

import org.jspecify.annotations.NullMarked;
