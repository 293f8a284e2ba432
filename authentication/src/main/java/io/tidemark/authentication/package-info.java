/**
 * Finds out who makes a request, by client certificate or token. Start with {@link
 * io.tidemark.authentication.Authenticator}.
 */
@NullMarked
package io.tidemark.authentication;

import org.jspecify.annotations.NullMarked;
