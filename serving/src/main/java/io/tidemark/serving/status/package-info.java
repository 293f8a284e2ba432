/** Refusals as Kubernetes Status objects. Depends on nothing of ours. */
@NullMarked
package io.tidemark.serving.status;

import org.jspecify.annotations.NullMarked;
