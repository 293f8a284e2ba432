/**
 * What differs between two versions of a Kubernetes object, and who changed it. Pure. Start with
 * {@link io.tidemark.diff.FieldDiff} and {@link io.tidemark.diff.FieldManagers}.
 */
@NullMarked
package io.tidemark.diff;

import org.jspecify.annotations.NullMarked;
