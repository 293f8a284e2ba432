/**
 * Writes the schema tables of the Kubernetes decoder. It runs in the build, never in the program.
 * The published descriptors give messages, numbers, names, types and order; the file {@code
 * exceptions} gives the rest. Start with {@link io.tidemark.schema.SchemaGenerator}.
 */
@NullMarked
package io.tidemark.schema;

import org.jspecify.annotations.NullMarked;
