/**
 * Asks the API server whose a token is, and who may do what. Start with {@link
 * io.tidemark.authentication.review.TokenReviewer} and {@link
 * io.tidemark.authentication.review.AccessReviewer}.
 */
@NullMarked
package io.tidemark.authentication.review;

import org.jspecify.annotations.NullMarked;
