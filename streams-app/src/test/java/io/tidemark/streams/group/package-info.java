/** Tests of the package without a broker. */
@NullMarked
package io.tidemark.streams.group;

import org.jspecify.annotations.NullMarked;
