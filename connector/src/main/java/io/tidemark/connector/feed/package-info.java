/**
 * The feed's state machine: which etcd revision is read and written next, and what happens after a
 * fault. Pure: states, events and effects are values, and nothing here waits, reads a clock or does
 * I/O. Start with {@link io.tidemark.connector.feed.FeedStateMachine}.
 */
@NullMarked
package io.tidemark.connector.feed;

import org.jspecify.annotations.NullMarked;
