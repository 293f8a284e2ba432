/**
 * Whether a request may be served: its caller, impersonation, and its right, in the API server's
 * order and words. Start with {@link io.tidemark.query.http.access.AccessControl}.
 */
@NullMarked
package io.tidemark.query.http.access;

import org.jspecify.annotations.NullMarked;
