/**
 * Deliberate faults inside production's classes, as bytecode patches, each with the promise that
 * must detect it. Start with {@code PatchedMutantsIT}.
 */
@NullMarked
package io.tidemark.simulation.patch;

import org.jspecify.annotations.NullMarked;
