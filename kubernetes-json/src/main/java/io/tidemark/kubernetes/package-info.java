/**
 * Reads what an API server stored in etcd: a value in its protobuf envelope becomes the JSON that
 * the API server serves for the stored version. Which kinds and fields there are is data (the
 * tables under {@code schema/}); this package is the machine that runs them. No I/O.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
