@NullMarked
package io.tidemark.peer.wire;

import org.jspecify.annotations.NullMarked;
