/**
 * What changed: single changes of the history, each described by what of which object changed and
 * who changed it. Without I/O. Start with {@link io.tidemark.query.changes.ChangeDescriber} and
 * {@link io.tidemark.query.changes.ChangesQuery}.
 */
@NullMarked
package io.tidemark.query.changes;

import org.jspecify.annotations.NullMarked;
