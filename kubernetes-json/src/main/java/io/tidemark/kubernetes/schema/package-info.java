/**
 * The kinds and fields that are known, read from tables that {@code schema-generator} writes in the
 * build. Start with {@link io.tidemark.kubernetes.schema.SchemaTables} and {@link
 * io.tidemark.kubernetes.schema.MessageType}.
 */
@NullMarked
package io.tidemark.kubernetes.schema;

import org.jspecify.annotations.NullMarked;
