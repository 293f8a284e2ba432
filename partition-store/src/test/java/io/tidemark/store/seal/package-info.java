@NullMarked
package io.tidemark.store.seal;

import org.jspecify.annotations.NullMarked;
