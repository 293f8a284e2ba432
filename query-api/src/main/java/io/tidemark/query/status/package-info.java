/** Refusals as Kubernetes Status objects. Depends on nothing of ours. */
@NullMarked
package io.tidemark.query.status;

import org.jspecify.annotations.NullMarked;
