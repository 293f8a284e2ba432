/**
 * WATCH and long polls over HTTP and WebSockets. Start with {@link
 * io.tidemark.query.http.watch.WatchService} and {@link io.tidemark.query.http.watch.WatchSession}.
 */
@NullMarked
package io.tidemark.query.http.watch;

import org.jspecify.annotations.NullMarked;
