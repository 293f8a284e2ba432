/** Asks other servers over HTTPS, with bounds of time and size. */
@NullMarked
package io.tidemark.authentication.remote;

import org.jspecify.annotations.NullMarked;
