/**
 * HTTP/1.1 requests whose answers are counted and not kept, so that the client costs little beside
 * the server.
 */
@NullMarked
package io.tidemark.bench.http;

import org.jspecify.annotations.NullMarked;
