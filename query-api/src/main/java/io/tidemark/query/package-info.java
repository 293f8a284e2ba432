/**
 * The query node: its configuration, its parts and the order in which they start and stop. Start
 * with {@link io.tidemark.query.QueryNode}.
 */
@NullMarked
package io.tidemark.query;

import org.jspecify.annotations.NullMarked;
