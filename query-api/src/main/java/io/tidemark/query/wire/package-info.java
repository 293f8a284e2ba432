/**
 * The wire format: request options, continue tokens, and the framing of lists and events around
 * stored bytes, without I/O. Start with {@link io.tidemark.query.wire.ListEncoder} and {@link
 * io.tidemark.query.wire.ListOptions}.
 */
@NullMarked
package io.tidemark.query.wire;

import org.jspecify.annotations.NullMarked;
