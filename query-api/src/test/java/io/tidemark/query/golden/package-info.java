/**
 * Comparisons with what a real API server answered, as recorded in {@code ../shared/golden}. Where
 * that is not there the tests are skipped.
 */
package io.tidemark.query.golden;
