/** The disks of simulated nodes. */
@NullMarked
package io.tidemark.simulation.disk;

import org.jspecify.annotations.NullMarked;
