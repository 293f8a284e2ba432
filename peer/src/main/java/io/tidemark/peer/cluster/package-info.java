/** All copies of every partition, here and elsewhere, seen as one. */
@NullMarked
package io.tidemark.peer.cluster;

import org.jspecify.annotations.NullMarked;
