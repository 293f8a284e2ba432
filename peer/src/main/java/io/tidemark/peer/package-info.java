/**
 * Nodes that read from each other. A node offers its copies of partitions on an internal listener,
 * and sees those of the others beside its own: any node can answer any request.
 */
@NullMarked
package io.tidemark.peer;

import org.jspecify.annotations.NullMarked;
