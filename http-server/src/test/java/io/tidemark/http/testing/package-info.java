/**
 * What the tests of all modules send and receive over HTTP. Start with {@link
 * io.tidemark.http.testing.TestHttpClient}; {@link io.tidemark.http.testing.RawHttp} sends what a
 * proper client refuses to send or reads slowly; {@link io.tidemark.http.testing.TcpProxy} is
 * between two processes.
 */
@NullMarked
package io.tidemark.http.testing;

import org.jspecify.annotations.NullMarked;
