/**
 * The HTTP layer: paths, and one endpoint per kind of request. Only this package and those below it
 * use Javalin and Jetty. Start with {@link io.tidemark.query.http.Routes} and {@link
 * io.tidemark.query.http.ObjectsEndpoint}, which leads to {@link io.tidemark.query.http.list} and
 * {@link io.tidemark.query.http.watch}.
 */
@NullMarked
package io.tidemark.query.http;

import org.jspecify.annotations.NullMarked;
