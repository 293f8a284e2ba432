/**
 * The reference model: every revision that etcd ever had, what a filter selects of it, and the
 * items of answers. Depends on nothing of Tidemark but byte strings.
 */
@NullMarked
package io.tidemark.simulation.model;

import org.jspecify.annotations.NullMarked;
