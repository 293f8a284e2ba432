/** Client libraries and tools that nobody changed for it, each of them pointed at Tidemark. */
@NullMarked
package io.tidemark.clients;

import org.jspecify.annotations.NullMarked;
