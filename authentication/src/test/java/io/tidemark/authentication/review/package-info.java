@NullMarked
package io.tidemark.authentication.review;

import org.jspecify.annotations.NullMarked;
