/**
 * Errors as Kubernetes Status objects. Start with {@link io.tidemark.serving.status.StatusErrors}.
 */
@NullMarked
package io.tidemark.serving.status;

import org.jspecify.annotations.NullMarked;
