/** Checks what was recorded against the truth. Start with {@code HistoryChecker}. */
@NullMarked
package io.tidemark.chaos.check;

import org.jspecify.annotations.NullMarked;
