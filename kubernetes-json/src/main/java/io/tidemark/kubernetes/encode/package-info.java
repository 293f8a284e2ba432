/**
 * From the JSON of a Kubernetes object back to protobuf, by the same tables as the way there. Begin
 * with {@link io.tidemark.kubernetes.encode.KubernetesEncoder}.
 */
@NullMarked
package io.tidemark.kubernetes.encode;

import org.jspecify.annotations.NullMarked;
