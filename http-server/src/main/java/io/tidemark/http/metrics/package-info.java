/**
 * The metrics of a process: served as Prometheus text, and sent by OTLP. Start with {@link
 * io.tidemark.http.metrics.MetricsRegistry}.
 */
@NullMarked
package io.tidemark.http.metrics;

import org.jspecify.annotations.NullMarked;
