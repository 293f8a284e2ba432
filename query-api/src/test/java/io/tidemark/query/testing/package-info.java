/**
 * Clients for tests of the HTTP layer. Start with {@link
 * io.tidemark.query.testing.HttpClientForTests}.
 */
@NullMarked
package io.tidemark.query.testing;

import org.jspecify.annotations.NullMarked;
