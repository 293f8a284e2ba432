/**
 * Which state a request reads: the latest, one not older than a revision, an exact one or the one
 * at a time, and how long it waits for it. Start with {@link
 * io.tidemark.serving.freshness.RequestedState}, {@link io.tidemark.serving.freshness.Freshness}
 * and {@link io.tidemark.serving.freshness.WatermarkTracker}.
 */
@NullMarked
package io.tidemark.serving.freshness;

import org.jspecify.annotations.NullMarked;
