/**
 * The Kafka Streams side: one task for each partition of the mirror topic, which is source and
 * changelog at once, feeds that partition's store. {@link io.tidemark.streams.StreamsNode} runs it.
 * Depends on the store, on its RocksDB engine, and on the view that it offers.
 */
@NullMarked
package io.tidemark.streams;

import org.jspecify.annotations.NullMarked;
