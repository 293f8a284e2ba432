/** What the simulation needs of the connector's insides. */
@NullMarked
package io.tidemark.connector;

import org.jspecify.annotations.NullMarked;
