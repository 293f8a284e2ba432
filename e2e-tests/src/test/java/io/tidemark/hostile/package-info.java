/**
 * One hostile client against one node, and a second client that measures the effect. Start with
 * {@link io.tidemark.hostile.HostileMain}; docs/limits.md has the figures.
 */
@NullMarked
package io.tidemark.hostile;

import org.jspecify.annotations.NullMarked;
