/**
 * Knows callers by signed tokens (JWT) of OpenID Connect providers, and by those of
 * ServiceAccounts. Start with {@link io.tidemark.authentication.jwt.JwtAuthenticator}.
 */
@NullMarked
package io.tidemark.authentication.jwt;

import org.jspecify.annotations.NullMarked;
