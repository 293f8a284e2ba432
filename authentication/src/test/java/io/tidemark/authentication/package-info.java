@NullMarked
package io.tidemark.authentication;

import org.jspecify.annotations.NullMarked;
