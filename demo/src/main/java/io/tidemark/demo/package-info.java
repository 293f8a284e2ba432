/**
 * The example cluster of {@code up --demo}: generated objects as a Kubernetes API server would
 * store them, but as JSON, and small controllers that keep changing them. Talks to etcd only;
 * whatever shows in Tidemark has come the usual way.
 */
@NullMarked
package io.tidemark.demo;

import org.jspecify.annotations.NullMarked;
