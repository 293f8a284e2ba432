/** The addresses of listeners and servers, checked when they are made. */
@NullMarked
package io.tidemark.address;

import org.jspecify.annotations.NullMarked;
