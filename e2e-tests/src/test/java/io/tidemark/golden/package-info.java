/**
 * What a real API server was recorded to answer, asked of Tidemark again: requests on a fixed
 * state, watches while it changes, and kubectl's commands. Whatever differs is listed with its
 * reason in {@code golden/deviations.json}, and is checked there to differ in that way only.
 */
@NullMarked
package io.tidemark.golden;

import org.jspecify.annotations.NullMarked;
