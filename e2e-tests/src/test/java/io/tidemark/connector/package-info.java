/** Gives the simulation access to the connector's package-private parts. */
@NullMarked
package io.tidemark.connector;

import org.jspecify.annotations.NullMarked;
