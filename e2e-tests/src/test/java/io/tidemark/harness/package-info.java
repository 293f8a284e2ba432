/**
 * A real etcd, Tidemark's processes, and a client of them, for tests of the whole program. Start
 * with {@link io.tidemark.harness.ProcessCluster}.
 */
@NullMarked
package io.tidemark.harness;

import org.jspecify.annotations.NullMarked;
