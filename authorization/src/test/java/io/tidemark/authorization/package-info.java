/**
 * The rules against an independent evaluator, against the API server's own tables of cases, and
 * against mutants.
 */
@NullMarked
package io.tidemark.authorization;

import org.jspecify.annotations.NullMarked;
