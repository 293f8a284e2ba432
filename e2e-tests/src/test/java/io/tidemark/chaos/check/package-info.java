/** What was recorded, held against what is true. */
@NullMarked
package io.tidemark.chaos.check;

import org.jspecify.annotations.NullMarked;
