/**
 * Custom resources as an API server serves them: pruned and defaulted on reading by the schema of
 * their definition, numbers printed anew, members sorted. Pure: JSON and schema in, JSON out.
 */
@NullMarked
package io.tidemark.kubernetes.structural;

import org.jspecify.annotations.NullMarked;
