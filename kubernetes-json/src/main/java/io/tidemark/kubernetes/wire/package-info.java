/**
 * Protobuf's wire format: a cursor over fields, an API server's envelope, and how decoding fails.
 * Start with {@link io.tidemark.kubernetes.wire.FieldCursor} and {@link
 * io.tidemark.kubernetes.wire.DecodeResult}.
 */
@NullMarked
package io.tidemark.kubernetes.wire;

import org.jspecify.annotations.NullMarked;
