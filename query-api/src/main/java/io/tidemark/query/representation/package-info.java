/**
 * The representations of objects in responses: whole, metadata only or as a Table, written as JSON
 * or YAML. Start with {@link io.tidemark.query.representation.Representation} and {@link
 * io.tidemark.query.representation.Renderer}.
 */
@NullMarked
package io.tidemark.query.representation;

import org.jspecify.annotations.NullMarked;
