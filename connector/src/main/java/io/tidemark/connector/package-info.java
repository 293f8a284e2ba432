/**
 * The connector: mirrors every change under an etcd prefix into the mirror topic. {@link
 * io.tidemark.connector.Connector} is the way in; the feed decides, the source reads etcd, the sink
 * writes Kafka.
 */
@NullMarked
package io.tidemark.connector;

import org.jspecify.annotations.NullMarked;
