/**
 * Requests on a small state of our own, with answers written by hand from the documented rules: for
 * each category of the recordings that {@code io.tidemark.golden} replays, and for any clone.
 *
 * <p>{@code written/objects.json} holds the state, {@code written/cases} a file per category,
 * {@code written/fragments.json} what several answers share. {@link
 * io.tidemark.written.WrittenCase} defines a case, {@link io.tidemark.written.Fragments} the
 * shorthands.
 */
@NullMarked
package io.tidemark.written;

import org.jspecify.annotations.NullMarked;
