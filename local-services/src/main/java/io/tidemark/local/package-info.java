/**
 * Services for one-machine setups and tests: a Kafka broker in this JVM and a real etcd as a child
 * process. Independent of the other modules. Start with {@link
 * io.tidemark.local.kafka.EmbeddedKafka} and {@link io.tidemark.local.etcd.EtcdProcess}.
 */
@NullMarked
package io.tidemark.local;

import org.jspecify.annotations.NullMarked;
