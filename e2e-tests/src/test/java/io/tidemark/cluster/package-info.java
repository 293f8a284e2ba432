/**
 * The whole of Tidemark as its users meet it: the real program in a process of its own beside a
 * real etcd, asked over HTTP.
 */
@NullMarked
package io.tidemark.cluster;

import org.jspecify.annotations.NullMarked;
