package io.tidemark.etcd;

import java.time.Duration;

/** A lease: when it ends, its keys are deleted. {@code timeToLive} is what etcd granted. */
public record Lease(long id, Duration timeToLive) {}
