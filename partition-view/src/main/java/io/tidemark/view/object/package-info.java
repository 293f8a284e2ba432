/**
 * Stored objects: their layout, their metadata and fields read in place, and selection by them.
 * Start with {@link io.tidemark.view.object.StoredObject} and {@link
 * io.tidemark.view.object.Selection}.
 */
@NullMarked
package io.tidemark.view.object;

import org.jspecify.annotations.NullMarked;
