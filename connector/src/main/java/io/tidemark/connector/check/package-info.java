/** Digests of what etcd holds, for nodes to compare their copies with. */
@NullMarked
package io.tidemark.connector.check;

import org.jspecify.annotations.NullMarked;
