/**
 * The query node: what it is told, what it is made of, in which order it starts and stops. The only
 * place that sees the concrete parts together.
 */
@NullMarked
package io.tidemark.query;

import org.jspecify.annotations.NullMarked;
