/**
 * Asks the API server whose token it is. Start with {@link
 * io.tidemark.authentication.review.TokenReviewer}.
 */
@NullMarked
package io.tidemark.authentication.review;

import org.jspecify.annotations.NullMarked;
