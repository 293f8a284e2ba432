/**
 * The forms of objects in responses: JSON, YAML, Table, metadata only. Start with {@link
 * io.tidemark.query.table.Representation} and {@link io.tidemark.query.table.Renderer}.
 */
@NullMarked
package io.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
