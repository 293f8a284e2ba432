/**
 * Who may read what: the caller of each request, and its right to each state that it is served.
 * Start with {@link io.tidemark.query.access.Permit}.
 */
@NullMarked
package io.tidemark.query.access;

import org.jspecify.annotations.NullMarked;
