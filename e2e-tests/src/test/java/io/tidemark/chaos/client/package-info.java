/** Cheap clients that record what they get. */
@NullMarked
package io.tidemark.chaos.client;

import org.jspecify.annotations.NullMarked;
