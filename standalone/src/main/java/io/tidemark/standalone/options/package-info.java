/**
 * The options of all commands: names, defaults, bounds and sources. Precedence: command line, then
 * {@code TIDEMARK_*} variable, then properties file, then default. Start with {@link
 * io.tidemark.standalone.options.SettingSources} and {@link
 * io.tidemark.standalone.options.ConnectorOptions}.
 */
@NullMarked
package io.tidemark.standalone.options;

import org.jspecify.annotations.NullMarked;
