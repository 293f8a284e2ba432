/**
 * The console's files. They are modules that a browser reads as they are: {@code app.js} begins,
 * and each view is one file. Start with {@link io.tidemark.console.ConsoleFiles}.
 */
@NullMarked
package io.tidemark.console;

import org.jspecify.annotations.NullMarked;
