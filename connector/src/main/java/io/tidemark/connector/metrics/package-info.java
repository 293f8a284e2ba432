/** The connector's meters. Start with {@link io.tidemark.connector.metrics.ConnectorMetrics}. */
@NullMarked
package io.tidemark.connector.metrics;

import org.jspecify.annotations.NullMarked;
