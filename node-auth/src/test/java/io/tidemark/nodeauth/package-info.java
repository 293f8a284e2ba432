@NullMarked
package io.tidemark.nodeauth;

import org.jspecify.annotations.NullMarked;
