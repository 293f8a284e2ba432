/** What the connector counts and measures, by name. */
@NullMarked
package io.tidemark.connector.metrics;

import org.jspecify.annotations.NullMarked;
