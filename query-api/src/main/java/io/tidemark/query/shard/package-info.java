/**
 * Selectors of shards of the objects, as in KEP-5866: ranges of the hash of a field. Start with
 * {@link io.tidemark.query.shard.ShardSelector}.
 */
@NullMarked
package io.tidemark.query.shard;

import org.jspecify.annotations.NullMarked;
