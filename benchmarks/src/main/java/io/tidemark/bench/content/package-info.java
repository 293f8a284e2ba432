/** The objects that are written to etcd for a measurement. */
@NullMarked
package io.tidemark.bench.content;

import org.jspecify.annotations.NullMarked;
