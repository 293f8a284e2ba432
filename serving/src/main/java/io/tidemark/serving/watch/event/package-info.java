/**
 * The events that watches share: a change, its line in each form, and its line in each coding.
 * Start with {@link io.tidemark.serving.watch.event.EncodedEvent}.
 */
@NullMarked
package io.tidemark.serving.watch.event;

import org.jspecify.annotations.NullMarked;
