/** What is done to the cluster, and how one knows that it is over. */
@NullMarked
package io.tidemark.chaos.fault;

import org.jspecify.annotations.NullMarked;
