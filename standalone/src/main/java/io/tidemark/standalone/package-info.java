/**
 * The command line, and everything in one JVM. Parses settings from the command line, the
 * environment and a file, and wires the other modules' entry points; holds no logic of theirs.
 */
@NullMarked
package io.tidemark.standalone;

import org.jspecify.annotations.NullMarked;
