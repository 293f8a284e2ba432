/**
 * The questions that a partition answers, and its answers. Start with {@link
 * io.tidemark.view.request.ReadRequest} and {@link io.tidemark.view.request.ReadOutcome}.
 */
@NullMarked
package io.tidemark.view.request;

import org.jspecify.annotations.NullMarked;
