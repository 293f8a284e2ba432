/** Certificates for tests. */
@NullMarked
package io.tidemark.credentials.testing;

import org.jspecify.annotations.NullMarked;
