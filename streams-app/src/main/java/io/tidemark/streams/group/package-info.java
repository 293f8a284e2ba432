/**
 * The group of nodes: which node has which replica, what the group has committed, and its session
 * timeout.
 */
@NullMarked
package io.tidemark.streams.group;

import org.jspecify.annotations.NullMarked;
