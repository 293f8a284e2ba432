/**
 * The replicas on a node: each partition's store as a Streams state store, its rebuild from the
 * topic, and the disk that the stores lie on. Start with {@link
 * io.tidemark.streams.replica.OpenPartitions} and {@link io.tidemark.streams.replica.ReadAhead}.
 */
@NullMarked
package io.tidemark.streams.replica;

import org.jspecify.annotations.NullMarked;
