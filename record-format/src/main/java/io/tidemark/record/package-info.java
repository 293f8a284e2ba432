/**
 * The mirror topic's contract: what a record says and how its bytes are laid out. The connector
 * writes it, stores read it, and any other Kafka consumer may. Depends on the JDK alone.
 */
@NullMarked
package io.tidemark.record;

import org.jspecify.annotations.NullMarked;
