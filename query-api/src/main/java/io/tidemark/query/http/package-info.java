/**
 * The HTTP layer: paths, requests and responses, one endpoint for each thing that can be asked. The
 * only package of this module that knows Javalin and Jetty, and it depends on all the others.
 */
@NullMarked
package io.tidemark.query.http;

import org.jspecify.annotations.NullMarked;
