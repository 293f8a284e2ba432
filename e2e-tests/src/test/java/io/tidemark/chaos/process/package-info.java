/** The processes: how they are started, ended, paused, and who reaches whom. */
@NullMarked
package io.tidemark.chaos.process;

import org.jspecify.annotations.NullMarked;
