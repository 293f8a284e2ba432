/** A cluster with stores in memory, for tests of the serving core and of the HTTP layer. */
@NullMarked
package io.tidemark.serving.testing;

import org.jspecify.annotations.NullMarked;
