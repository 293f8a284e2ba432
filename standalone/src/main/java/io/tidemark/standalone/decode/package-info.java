/**
 * Decoding of single etcd values for {@code tidemark decode}. Pure. Start with {@link
 * io.tidemark.standalone.decode.ValueDecoding}.
 */
@NullMarked
package io.tidemark.standalone.decode;

import org.jspecify.annotations.NullMarked;
