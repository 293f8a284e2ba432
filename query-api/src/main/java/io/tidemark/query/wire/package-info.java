/**
 * The parameters of requests and continue tokens, without I/O. Start with {@link
 * io.tidemark.query.wire.ListOptions}.
 */
@NullMarked
package io.tidemark.query.wire;

import org.jspecify.annotations.NullMarked;
