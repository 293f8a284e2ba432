/**
 * What Kafka's clients do not come over by themselves. {@link
 * io.tidemark.reading.CorruptBatchSkippingConsumer} passes over batches that a disk has damaged and
 * says so, and its users decide what that means for them; {@link
 * io.tidemark.reading.ClockStepDetector} tells when only new clients help.
 */
@NullMarked
package io.tidemark.reading;

import org.jspecify.annotations.NullMarked;
