/**
 * The read-only checks of {@code tidemark doctor}: each examines the machine, etcd or Kafka. Start
 * with {@link io.tidemark.standalone.doctor.Finding}.
 */
@NullMarked
package io.tidemark.standalone.doctor;

import org.jspecify.annotations.NullMarked;
