/**
 * The HTTP server that nodes, peers and connectors share: Javalin on Jetty, with bounds on headers,
 * silence and connections. Start with {@link io.tidemark.http.HttpServer}.
 */
@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;
