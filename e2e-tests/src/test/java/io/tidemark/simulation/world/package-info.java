/**
 * The simulated world outside Tidemark: its size and the plan of a run, virtual time, etcd, and a
 * Kafka topic, each with the behaviour (and the misbehaviour) that Tidemark relies on or must
 * survive. Start with {@code FakeEtcd} and {@code FakeTopic}. Depends on the record format and on
 * the reference model.
 */
@NullMarked
package io.tidemark.simulation.world;

import org.jspecify.annotations.NullMarked;
