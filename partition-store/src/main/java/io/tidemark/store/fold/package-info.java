/**
 * Folds the changes of a partition into its store. {@link io.tidemark.store.fold.TopicFold} has the
 * rules; {@link io.tidemark.store.fold.ChangeFold} applies one put or delete.
 */
@NullMarked
package io.tidemark.store.fold;

import org.jspecify.annotations.NullMarked;
