/**
 * The Kafka Streams application: one task per partition reads the mirror topic, which is source and
 * changelog at once, into that partition's store. Start with {@link
 * io.tidemark.streams.StreamsNode}; {@link io.tidemark.streams.group} decides which node has which
 * replica, {@link io.tidemark.streams.replica} holds them.
 */
@NullMarked
package io.tidemark.streams;

import org.jspecify.annotations.NullMarked;
