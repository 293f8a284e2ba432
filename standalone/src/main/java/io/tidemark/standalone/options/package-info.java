/**
 * The options of all commands: their names, defaults, bounds and where values come from. One rule
 * of precedence: command line, then {@code TIDEMARK_*} variable, then properties file, then
 * default.
 */
@NullMarked
package io.tidemark.standalone.options;

import org.jspecify.annotations.NullMarked;
