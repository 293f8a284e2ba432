@NullMarked
package io.tidemark.peer;

import org.jspecify.annotations.NullMarked;
