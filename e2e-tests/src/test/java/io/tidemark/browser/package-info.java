/** The console in a real browser, on a real node. Start with {@code ConsoleIT}. */
@NullMarked
package io.tidemark.browser;

import org.jspecify.annotations.NullMarked;
