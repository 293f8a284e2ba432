/** What is written to etcd, and the truth about it. Start with {@code ObjectSpace}. */
@NullMarked
package io.tidemark.chaos.load;

import org.jspecify.annotations.NullMarked;
