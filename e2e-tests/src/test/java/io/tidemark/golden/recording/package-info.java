/** The recorded requests and answers, and the formats of their bodies. */
@NullMarked
package io.tidemark.golden.recording;

import org.jspecify.annotations.NullMarked;
