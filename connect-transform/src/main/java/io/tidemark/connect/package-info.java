/**
 * A transform of Kafka Connect that makes rows, documents or events of the mirror topic's records,
 * for stock sinks. Runs in workers on Java 21 or later. Start with {@link
 * io.tidemark.connect.FromMirror}.
 */
@NullMarked
package io.tidemark.connect;

import org.jspecify.annotations.NullMarked;
