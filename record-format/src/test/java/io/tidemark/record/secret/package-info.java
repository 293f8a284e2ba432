@NullMarked
package io.tidemark.record.secret;

import org.jspecify.annotations.NullMarked;
