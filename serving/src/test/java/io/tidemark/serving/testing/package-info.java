/**
 * A cluster with in-memory stores, for tests of serving and of the HTTP layer. Start with {@link
 * io.tidemark.serving.testing.MirroredCluster}.
 */
@NullMarked
package io.tidemark.serving.testing;

import org.jspecify.annotations.NullMarked;
