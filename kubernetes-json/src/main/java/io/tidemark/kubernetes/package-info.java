/**
 * Decodes values that an API server stored in etcd: from protobuf to the JSON that the API server
 * serves. Kinds and fields are data, in the tables of {@link io.tidemark.kubernetes.schema}; this
 * package interprets them. No I/O. Start with {@link io.tidemark.kubernetes.KubernetesDecoder} and
 * {@link io.tidemark.kubernetes.Transcoder}.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
