/**
 * The HTTP layer: paths, requests, responses and one endpoint per kind of request. The only package
 * of this module that uses Javalin and Jetty. Start with {@link io.tidemark.query.http.Routes}.
 */
@NullMarked
package io.tidemark.query.http;

import org.jspecify.annotations.NullMarked;
