/**
 * Comparisons with recorded responses of a real API server in {@code ../shared/golden}; skipped
 * without it. Start with {@link io.tidemark.query.golden.Golden}.
 */
package io.tidemark.query.golden;
