/**
 * {@code /changes} over HTTP. Start with {@link io.tidemark.query.http.changes.ChangesEndpoint}.
 */
@NullMarked
package io.tidemark.query.http.changes;

import org.jspecify.annotations.NullMarked;
