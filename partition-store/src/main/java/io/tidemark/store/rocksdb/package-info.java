/**
 * The {@link io.tidemark.store.engine.KeyValueEngine} on RocksDB, whose API no other package uses.
 * Start with {@link io.tidemark.store.rocksdb.RocksEngine}.
 */
@NullMarked
package io.tidemark.store.rocksdb;

import org.jspecify.annotations.NullMarked;
