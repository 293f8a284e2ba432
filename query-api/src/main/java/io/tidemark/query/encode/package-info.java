/**
 * Lists and watch events as bytes, in every negotiated form: JSON around stored bytes, protobuf,
 * and what a renderer makes. Start with {@link io.tidemark.query.encode.ObjectEncoders}.
 */
@NullMarked
package io.tidemark.query.encode;

import org.jspecify.annotations.NullMarked;
