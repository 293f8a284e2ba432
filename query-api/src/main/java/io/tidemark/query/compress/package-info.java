/**
 * Compresses responses: chooses the content coding that a client accepts, compresses bodies as one
 * stream, and parts of lists and the lines of watches so that others share them. Start with {@link
 * io.tidemark.query.compress.Compression}.
 */
@NullMarked
package io.tidemark.query.compress;

import org.jspecify.annotations.NullMarked;
