/**
 * Commands over the history of objects: what changed, when, by whom, and how to undo it. Start with
 * {@link io.tidemark.client.history.ChangesCommand} and {@link
 * io.tidemark.client.history.VersionHistory}.
 */
@NullMarked
package io.tidemark.client.history;

import org.jspecify.annotations.NullMarked;
