/**
 * The example cluster of {@code up --demo}: generated objects as a Kubernetes API server would
 * store them, but as JSON, and small controllers that keep changing them. Writes only to etcd, so
 * Tidemark mirrors it like any cluster. Start with {@link io.tidemark.demo.DemoCluster}.
 */
@NullMarked
package io.tidemark.demo;

import org.jspecify.annotations.NullMarked;
