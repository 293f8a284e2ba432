/**
 * The whole of Tidemark as its users meet it: the real program in a separate process beside a real
 * etcd, over HTTP. Start with {@code MainJobIT}.
 */
@NullMarked
package io.tidemark.cluster;

import org.jspecify.annotations.NullMarked;
