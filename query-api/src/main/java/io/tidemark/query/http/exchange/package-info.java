/**
 * One HTTP request with its response, and what all endpoints share: settings, metrics, the memory
 * and the pace of a response, and checks that its client is still connected. Start with {@link
 * io.tidemark.query.http.exchange.Exchange} and {@link
 * io.tidemark.query.http.exchange.ServingContext}.
 */
@NullMarked
package io.tidemark.query.http.exchange;

import org.jspecify.annotations.NullMarked;
