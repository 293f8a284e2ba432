/**
 * The connector's HTTP endpoints: barriers, relists, digests, health, metrics. Start with {@link
 * io.tidemark.connector.http.ConnectorHttp}.
 */
@NullMarked
package io.tidemark.connector.http;

import org.jspecify.annotations.NullMarked;
