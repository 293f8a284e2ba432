/**
 * A Kafka broker in this JVM, with logins and rights. Start with {@link
 * io.tidemark.local.kafka.EmbeddedKafka}.
 */
@NullMarked
package io.tidemark.local.kafka;

import org.jspecify.annotations.NullMarked;
