/** Filters of the log: what Kafka says about expected events. Named in logback.xml. */
@NullMarked
package io.tidemark.standalone.logging;

import org.jspecify.annotations.NullMarked;
