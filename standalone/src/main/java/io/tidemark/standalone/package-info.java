/**
 * The command line: parses settings, and wires the other modules' entry points into processes,
 * without logic of theirs. Start with {@link io.tidemark.standalone.TidemarkCli} and {@link
 * io.tidemark.standalone.up.LocalCluster}.
 */
@NullMarked
package io.tidemark.standalone;

import org.jspecify.annotations.NullMarked;
