/**
 * Reads all partitions as one store: lists merged by key and changes merged by revision. Start with
 * {@link io.tidemark.serving.read.ClusterView} and {@link io.tidemark.serving.read.PartitionSet}.
 */
@NullMarked
package io.tidemark.serving.read;

import org.jspecify.annotations.NullMarked;
