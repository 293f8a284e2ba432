/**
 * Reading topics past what a disk has damaged: {@link io.tidemark.reading.PassingConsumer} passes
 * over such batches and says so, and its users decide what that means for them.
 */
@NullMarked
package io.tidemark.reading;

import org.jspecify.annotations.NullMarked;
