/** What is written to etcd, and what is true of it. */
@NullMarked
package io.tidemark.chaos.load;

import org.jspecify.annotations.NullMarked;
