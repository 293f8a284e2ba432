/** The engine on disk: RocksDB. The only package that knows it. */
@NullMarked
package io.tidemark.store.rocksdb;

import org.jspecify.annotations.NullMarked;
