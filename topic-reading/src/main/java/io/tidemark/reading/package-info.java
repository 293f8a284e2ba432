/**
 * Handles failures that Kafka's clients do not recover from. Start with {@link
 * io.tidemark.reading.CorruptBatchSkippingConsumer}, which skips and reports corrupt batches, and
 * {@link io.tidemark.reading.ClockStepDetector}, which detects when clients must be recreated.
 */
@NullMarked
package io.tidemark.reading;

import org.jspecify.annotations.NullMarked;
