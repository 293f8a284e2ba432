/**
 * How all modules wait: {@link io.tidemark.concurrent.Backoff} after failures, {@link
 * io.tidemark.concurrent.Coalescer} for a costly call that many request; and how they notify:
 * {@link io.tidemark.concurrent.ListenerList}. Depends on the JDK alone.
 */
@NullMarked
package io.tidemark.concurrent;

import org.jspecify.annotations.NullMarked;
