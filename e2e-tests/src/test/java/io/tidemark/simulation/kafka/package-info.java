/**
 * A Kafka topic with the behaviour, and the misbehaviour, that Tidemark relies on or must survive,
 * and Kafka's clients of it. Start with {@code FakeTopic} and {@code SimulatedKafka}.
 */
@NullMarked
package io.tidemark.simulation.kafka;

import org.jspecify.annotations.NullMarked;
