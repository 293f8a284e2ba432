@NullMarked
package io.tidemark.peer.cluster;

import org.jspecify.annotations.NullMarked;
