/**
 * A load tool for servers that speak the Kubernetes protocol: it measures several servers in turns,
 * under the same load, in wall time and in CPU time of their processes. Begin with {@link
 * io.tidemark.bench.Bench}; the workloads are in {@link io.tidemark.bench.load.Workloads}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
