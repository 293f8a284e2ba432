/**
 * An etcd with the behaviour, and the misbehaviour, that Tidemark relies on or must survive, and a
 * connector's client of it. Start with {@code FakeEtcd}.
 */
@NullMarked
package io.tidemark.simulation.etcd;

import org.jspecify.annotations.NullMarked;
