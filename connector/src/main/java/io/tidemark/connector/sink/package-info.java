/**
 * Writing the mirror topic and reading back where it ends. Kafka's clients stand behind {@link
 * io.tidemark.connector.sink.ChangeSink}.
 */
@NullMarked
package io.tidemark.connector.sink;

import org.jspecify.annotations.NullMarked;
