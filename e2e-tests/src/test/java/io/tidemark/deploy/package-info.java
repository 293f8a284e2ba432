/**
 * What operators install: the Helm chart, its alerts and dashboards. Start with {@code ChartTest}.
 */
@NullMarked
package io.tidemark.deploy;

import org.jspecify.annotations.NullMarked;
