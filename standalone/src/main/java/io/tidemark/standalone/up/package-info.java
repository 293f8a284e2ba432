/**
 * The command {@code up}: etcd, a broker, a connector and a node in one JVM. Start with {@link
 * io.tidemark.standalone.up.UpCommand}.
 */
@NullMarked
package io.tidemark.standalone.up;

import org.jspecify.annotations.NullMarked;
