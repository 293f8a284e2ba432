/** Tests of the threads and limits of reads. */
@NullMarked
package io.tidemark.store.read;

import org.jspecify.annotations.NullMarked;
