/**
 * The self-check of a node: every copy of a partition that it holds is compared with etcd at one
 * revision, again and again, and what differs is named and rebuilt. {@link
 * io.tidemark.selfcheck.SelfCheck} runs it; what is decided is decided by pure classes.
 */
@NullMarked
package io.tidemark.selfcheck;

import org.jspecify.annotations.NullMarked;
