/**
 * Custom resources as an API server serves them: pruned and defaulted on reading by the schema of
 * their definition, numbers reformatted, members sorted. Pure: JSON and schema in, JSON out. Start
 * with {@link io.tidemark.kubernetes.structural.CustomResources}.
 */
@NullMarked
package io.tidemark.kubernetes.structural;

import org.jspecify.annotations.NullMarked;
