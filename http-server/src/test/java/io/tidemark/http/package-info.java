@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;
