/**
 * The connector: mirrors every change under an etcd prefix into the mirror topic. Start with {@link
 * io.tidemark.connector.Connector}; the feed decides, the source reads etcd, the sink writes Kafka.
 */
@NullMarked
package io.tidemark.connector;

import org.jspecify.annotations.NullMarked;
