/**
 * Commands that ask a node, as any client would: {@code get}, {@code watch}, {@code history},
 * {@code diff}. They know the public HTTP interface and nothing else of the product, so they work
 * against any node, and whatever they can do, other clients can.
 */
@NullMarked
package io.tidemark.client;

import org.jspecify.annotations.NullMarked;
