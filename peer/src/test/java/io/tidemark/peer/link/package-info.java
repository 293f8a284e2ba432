@NullMarked
package io.tidemark.peer.link;

import org.jspecify.annotations.NullMarked;
