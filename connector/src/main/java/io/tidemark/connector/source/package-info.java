/**
 * What the connector asks of etcd: a port of a few calls, and its adapter over etcd's gRPC API. The
 * adapter alone knows the client.
 */
@NullMarked
package io.tidemark.connector.source;

import org.jspecify.annotations.NullMarked;
