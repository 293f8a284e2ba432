/** What is measured: requests, watches and writes, each with its figures. */
@NullMarked
package io.tidemark.bench.load;

import org.jspecify.annotations.NullMarked;
