/** Kafka consumers from outside of Tidemark, which read the committed records of the topic. */
@NullMarked
package io.tidemark.simulation.outside;

import org.jspecify.annotations.NullMarked;
