/**
 * JMH benchmarks of the hot paths, run by {@code dev/bench.sh}. Each compares two variants in one
 * run, since an absolute figure says little on a shared machine. Start with {@link
 * io.tidemark.benchmarks.ScanBenchmark}.
 */
@NullMarked
package io.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
