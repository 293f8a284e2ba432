/**
 * JSON as trees, for transformations that move members, and numbers and untyped maps as Go prints
 * them. Start with {@link io.tidemark.kubernetes.json.JsonTree}.
 */
@NullMarked
package io.tidemark.kubernetes.json;

import org.jspecify.annotations.NullMarked;
