/**
 * Writes the mirror topic and reads back its end. Start with {@link
 * io.tidemark.connector.sink.ChangeSink}, which hides Kafka's clients.
 */
@NullMarked
package io.tidemark.connector.sink;

import org.jspecify.annotations.NullMarked;
