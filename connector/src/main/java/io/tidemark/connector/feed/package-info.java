/**
 * The feed: which etcd revision is read and written next, and what happens when something breaks.
 * Pure: states, events and effects are values, and nothing here waits, reads a clock or does I/O.
 */
@NullMarked
package io.tidemark.connector.feed;

import org.jspecify.annotations.NullMarked;
