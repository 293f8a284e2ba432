/**
 * What a node says of itself and of its group: health, readiness, and the cluster's nodes. Start
 * with {@link io.tidemark.query.http.health.HealthEndpoint}.
 */
@NullMarked
package io.tidemark.query.http.health;

import org.jspecify.annotations.NullMarked;
