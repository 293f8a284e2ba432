@NullMarked
package io.tidemark.query.cluster;

import org.jspecify.annotations.NullMarked;
