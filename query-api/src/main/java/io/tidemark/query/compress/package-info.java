/**
 * Compresses responses: chooses the content coding that a client accepts, compresses bodies as one
 * stream, and the lines of watches so that watches share them. Start with {@link
 * io.tidemark.query.compress.Compression}.
 */
@NullMarked
package io.tidemark.query.compress;

import org.jspecify.annotations.NullMarked;
