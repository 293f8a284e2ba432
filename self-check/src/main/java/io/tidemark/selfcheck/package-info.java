/**
 * The self-check of a node: compares each of its replicas with etcd at one revision, periodically,
 * names the keys that differ, and rebuilds the replica. Start with {@link
 * io.tidemark.selfcheck.SelfCheck}; the decisions are in pure classes.
 */
@NullMarked
package io.tidemark.selfcheck;

import org.jspecify.annotations.NullMarked;
