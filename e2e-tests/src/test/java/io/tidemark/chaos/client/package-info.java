/**
 * Cheap clients that record what they receive. Start with {@code WatchClient} and {@code
 * ReadClient}.
 */
@NullMarked
package io.tidemark.chaos.client;

import org.jspecify.annotations.NullMarked;
