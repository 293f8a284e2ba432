/**
 * JMH benchmarks of the hot paths. Each compares two ways in one run, since a figure alone says
 * little on a machine that others use too. {@code dev/bench.sh} runs them.
 */
@NullMarked
package io.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
