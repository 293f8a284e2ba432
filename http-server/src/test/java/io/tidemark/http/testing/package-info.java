/**
 * A proxy between two processes, for the tests of all modules. Start with {@link
 * io.tidemark.http.testing.TcpProxy}.
 */
@NullMarked
package io.tidemark.http.testing;

import org.jspecify.annotations.NullMarked;
