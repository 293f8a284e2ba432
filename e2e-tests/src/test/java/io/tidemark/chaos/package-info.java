/**
 * A cluster of real processes under faults, with clients that record what they see and checkers of
 * the promises.
 */
@NullMarked
package io.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
