/**
 * The mirror topic's format: the content of its records and their byte layout. The connector writes
 * it, stores read it, and any other Kafka consumer may. Start with {@link
 * io.tidemark.record.Change}. Depends on the JDK alone.
 */
@NullMarked
package io.tidemark.record;

import org.jspecify.annotations.NullMarked;
