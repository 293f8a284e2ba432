/**
 * The HTTP layer: paths, requests and responses, one endpoint for each thing that can be asked. The
 * only package that knows Javalin and Jetty. Depends on everything below it in this module.
 */
@NullMarked
package io.tidemark.query.http;

import org.jspecify.annotations.NullMarked;
