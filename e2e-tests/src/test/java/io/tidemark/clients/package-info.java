/** Unmodified client libraries and tools against Tidemark. Start with {@code ClientsIT}. */
@NullMarked
package io.tidemark.clients;

import org.jspecify.annotations.NullMarked;
