/**
 * What the commands print: progress, suggestions, failures. Start with {@link
 * io.tidemark.standalone.screen.Screen}.
 */
@NullMarked
package io.tidemark.standalone.screen;

import org.jspecify.annotations.NullMarked;
